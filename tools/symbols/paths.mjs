// Moves and scales SVG path data, so that symbols need no transform where hundreds of them are drawn.

const PAIRS = { m: 1, l: 1, c: 1, s: 1, q: 1, t: 1 };
const NUMBERS = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

const short = (value) => String(Math.round(value * 100) / 100);

/** Path data after (x, y) -> (k x + dx, k y + dy). */
export function movedPath(data, k, dx, dy) {
  let first = true;
  return data
    .match(/[a-z][^a-z]*/gi)
    .map((part) => {
      const command = part[0];
      const numbers = (part.slice(1).match(NUMBERS) ?? []).map(Number);
      // A relative moveto at the very beginning is absolute.
      const absolute = command === command.toUpperCase() || first;
      first = false;
      const moved = numbers.map((value, i) => short(movedNumber(command.toLowerCase(), value, i, k, absolute ? dx : 0, absolute ? dy : 0)));
      return command + moved.join(" ");
    })
    .join("");
}

function movedNumber(command, value, index, k, dx, dy) {
  if (command === "h") return value * k + dx;
  if (command === "v") return value * k + dy;
  if (command in PAIRS) return value * k + (index % 2 ? dy : dx);
  if (command !== "a") throw new Error(`path command ${command}`);
  const place = index % 7;
  if (place < 2) return value * k;
  if (place < 5) return value;
  return value * k + (place === 6 ? dy : dx);
}
