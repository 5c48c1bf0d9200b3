// Writes the counter symbols of the web client: one <symbol> for each row of table.json.
import { readFileSync, writeFileSync } from "node:fs";
import ms from "milsymbol";

const here = new URL(".", import.meta.url);
const { units, sizes } = JSON.parse(readFileSync(new URL("table.json", here), "utf8"));
const license = readFileSync(new URL("node_modules/milsymbol/LICENSE", here), "utf8").trim();

const STYLE = { size: 100, monoColor: "currentColor", fill: false, strokeWidth: 7 };
const FRAME = "M25,50 l150,0 0,100 -150,0 z";
const UNIT_BOX = "20 45 160 110";
const SIZE_BOX = "50 5 100 40";

/** The drawing inside an SVG text that milsymbol wrote, with icon lines heavy enough for small counters. */
function drawing(code, options = {}) {
  const symbol = new ms.Symbol(code, { ...STYLE, ...options });
  if (!symbol.isValid()) throw new Error(`milsymbol does not know ${code}`);
  return symbol
    .asSVG()
    .replace(/^<svg[^>]*>|<\/svg>$/g, "")
    .replaceAll('stroke-width="3"', 'stroke-width="6"')
    .replaceAll(' fill-opacity="1"', "");
}

function unitDrawing({ code, letter, letters }) {
  const art = drawing(code, letters ? { specialHeadquarters: letters } : {});
  return letter ? art.replace(">L<", `>${letter}<`) : art;
}

/** The size mark alone: what milsymbol adds to the bare frame. */
function sizeDrawing(modifier) {
  const paths = drawing(`SFGPU-----${modifier}`).match(/<path[^>]*><\/path>|<circle[^>]*><\/circle>|<g[^>]*>.*?<\/g>/g);
  return paths.filter((path) => !path.includes(FRAME)).join("");
}

const symbols = [
  ...Object.entries(units).map(([key, row]) => `<symbol id="unit-${key}" viewBox="${UNIT_BOX}">${unitDrawing(row)}</symbol>`),
  ...Object.entries(sizes).map(([key, code]) => `<symbol id="size-${key}" viewBox="${SIZE_BOX}">${sizeDrawing(code)}</symbol>`),
];
const sprite = `<svg xmlns="http://www.w3.org/2000/svg">
<!--
Symbols drawn by milsymbol. Its licence:

${license}
-->
${symbols.join("\n")}
</svg>
`;
writeFileSync(new URL("../../src/salient/web/symbols.svg", here), sprite);
console.log(`${symbols.length} symbols`);
