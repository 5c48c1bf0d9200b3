/** The elements that the client defines, by their tags. */

import type { PlanAdvice } from "./advice.js";
import type { GameAnalysis } from "./analysis.js";
import type { BetweenBar } from "./between.js";
import type { SalientBoard } from "./board.js";
import type { ArrivalCalendar } from "./calendar.js";
import type { TableCharts } from "./charts.js";
import type { DiceTray } from "./dice.js";
import type { TurnDigest } from "./digest.js";
import type { PaneDivider } from "./divider.js";
import type { SalientLobby } from "./lobby.js";
import type { GameLog } from "./log.js";
import type { MiniMap } from "./minimap.js";
import type { NoticeBell } from "./notices.js";
import type { OddsPanel } from "./odds.js";
import type { OpeningBook } from "./openings.js";
import type { ActionPanel } from "./panel.js";
import type { SalientProfile } from "./people.js";
import type { SalientPuzzles } from "./puzzles.js";
import type { RealDice } from "./realdice.js";
import type { ReplayBar } from "./replay.js";
import type { RuleBook } from "./rulebook.js";
import type { SalientRoom } from "./room.js";
import type { SequenceBar } from "./sequence.js";
import type { SituationPanel } from "./situation.js";
import type { StackPanel } from "./stack.js";
import type { BattleStrips } from "./strips.js";
import type { SalientTable } from "./table.js";
import type { ReferenceTables } from "./tables.js";
import type { SideTabs } from "./tabs.js";
import type { TableTray } from "./tray.js";

type Child = import("./dom.js").Child;

/** Builds an element with its properties and children: of the tag's own kind, where the tag is known. */
export interface Build {
  <K extends keyof HTMLElementTagNameMap>(tag: K, props?: Record<string, any>, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K];
  (tag: string, props?: Record<string, any>, ...children: (Child | Child[])[]): HTMLElement;
}

declare global {
  interface HTMLElementTagNameMap {
    "action-panel": ActionPanel;
    "arrival-calendar": ArrivalCalendar;
    "battle-strips": BattleStrips;
    "between-bar": BetweenBar;
    "dice-tray": DiceTray;
    "game-analysis": GameAnalysis;
    "game-log": GameLog;
    "mini-map": MiniMap;
    "notice-bell": NoticeBell;
    "odds-panel": OddsPanel;
    "opening-book": OpeningBook;
    "pane-divider": PaneDivider;
    "plan-advice": PlanAdvice;
    "real-dice": RealDice;
    "reference-tables": ReferenceTables;
    "replay-bar": ReplayBar;
    "rule-book": RuleBook;
    "salient-board": SalientBoard;
    "salient-lobby": SalientLobby;
    "salient-profile": SalientProfile;
    "salient-puzzles": SalientPuzzles;
    "salient-room": SalientRoom;
    "salient-table": SalientTable;
    "sequence-bar": SequenceBar;
    "side-tabs": SideTabs;
    "situation-panel": SituationPanel;
    "stack-panel": StackPanel;
    "table-charts": TableCharts;
    "table-tray": TableTray;
    "turn-digest": TurnDigest;
  }
}
