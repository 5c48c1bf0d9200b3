/** What may come later than what the player looks at. */

/** How long after that frame, in milliseconds: clicks and answers that came meanwhile go first. */
const LATER = 8;

export class AfterFrame {
  /** @param {() => void} run */
  constructor(run) {
    this.run = run;
    this.waiting = false;
  }

  /** Runs once the next frame has been drawn, however often it is asked for until then. A page that nobody sees draws no frames. */
  soon() {
    if (this.waiting) return;
    this.waiting = true;
    if (document.hidden) setTimeout(() => this.now());
    else requestAnimationFrame(() => setTimeout(() => this.now(), LATER));
  }

  /** Runs at once if something waits for it. */
  now() {
    if (!this.waiting) return;
    this.waiting = false;
    this.run();
  }
}
