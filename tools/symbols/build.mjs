// Writes the counter symbols of the web client: one <g> for each row of table.json, drawn where it lies on a counter of 100 by 100.
import { readFileSync, writeFileSync } from "node:fs";
import ms from "milsymbol";
import { movedPath } from "./paths.mjs";

const here = new URL(".", import.meta.url);
const { units, sizes } = JSON.parse(readFileSync(new URL("table.json", here), "utf8"));
const license = readFileSync(new URL("node_modules/milsymbol/LICENSE", here), "utf8").trim();

const STYLE = { size: 100, monoColor: "currentColor", fill: false, strokeWidth: 7 };
const FRAME = "M25,50 l150,0 0,100 -150,0 z";
// milsymbol's frame (25, 50) to (175, 150) becomes (21.8, 23) to (76.2, 59.3) on the counter; a size mark goes to its upper right.
const UNIT_PLACE = { k: 0.363, dx: 12.7, dy: 4.85 };
const SIZE_PLACE = { k: 0.33, dx: 45, dy: 2.5 };

/** How milsymbol writes a smaller icon inside another. */
const NESTED = /<g transform="translate\(([\d.-]+),([\d.-]+)\)" ?><g transform="scale\(([\d.]+)\)" ?>(.*?)<\/g><\/g>/g;

/** The drawing inside an SVG text that milsymbol wrote, with icon lines heavy enough for small counters. */
function drawing(code, options = {}) {
  const symbol = new ms.Symbol(code, { ...STYLE, ...options });
  if (!symbol.isValid()) throw new Error(`milsymbol does not know ${code}`);
  return symbol
    .asSVG()
    .replace(/^<svg[^>]*>|<\/svg>$/g, "")
    .replaceAll('stroke-width="3"', 'stroke-width="6"')
    .replaceAll(' fill-opacity="1"', "")
    .replaceAll(' transform="translate(0,0)"', "")
    .replace(NESTED, (_, dx, dy, k, inner) => placed(inner, { k: Number(k), dx: Number(dx), dy: Number(dy) }));
}

function placed(art, { k, dx, dy }) {
  if (/transform=/.test(art)) throw new Error("a symbol with a transform cannot be placed");
  const short = (value) => String(Math.round(value * 100) / 100);
  return art
    .replace(/ d="([^"]+)"/g, (_, data) => ` d="${movedPath(data, k, dx, dy)}"`)
    .replace(/ (c?x|c?y|r|stroke-width|font-size)="([^"]+)"/g, (_, name, value) => {
      const shift = name.endsWith("x") ? dx : name.endsWith("y") ? dy : 0;
      return ` ${name}="${short(Number(value) * k + shift)}"`;
    })
    .replaceAll("></path>", "/>")
    .replaceAll("></circle>", "/>")
    .replaceAll(" />", "/>")
    .replaceAll(" >", ">");
}

function unitDrawing({ code, letter, letters }) {
  const art = drawing(code, letters ? { specialHeadquarters: letters } : {});
  return placed(letter ? art.replace(">L<", `>${letter}<`) : art, UNIT_PLACE);
}

/** The size mark alone: what milsymbol adds to the bare frame. */
function sizeDrawing(modifier) {
  const paths = drawing(`SFGPU-----${modifier}`).match(/<path[^>]*><\/path>|<g[^>]*>.*?<\/g>/g);
  return placed(paths.filter((path) => !path.includes(FRAME)).join(""), SIZE_PLACE);
}

const symbols = [
  ...Object.entries(units).map(([key, row]) => `<g id="unit-${key}">${unitDrawing(row)}</g>`),
  ...Object.entries(sizes).map(([key, code]) => `<g id="size-${key}">${sizeDrawing(code)}</g>`),
];
const sprite = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
<!--
Symbols drawn by milsymbol. Its licence:

${license}
-->
${symbols.join("\n")}
</svg>
`;
writeFileSync(new URL("../../src/salient/web/symbols.svg", here), sprite);
console.log(`${symbols.length} symbols`);
