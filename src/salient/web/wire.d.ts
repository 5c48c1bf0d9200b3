/** What goes over the wire, written by tools/wire.py from the OpenAPI description: do not edit. */

/** What else a request says: its query, and whose token it carries; `text` if the answer is no JSON. */
export interface More {
  body?: unknown;
  query?: Record<string, string | number | null | undefined>;
  game?: string;
  text?: boolean;
}

/** What this server is. */
export interface About {
  version: string;
  languages: string[];
  local: boolean;
  public: boolean;
  levels: string[];
  level: string;
}

/** Who is signed in. */
export interface Account {
  id: string;
  name: string;
  kind: string;
  mail: string | null;
  mail_confirmed: boolean;
  admin: boolean;
  lang: string;
  about: string;
  wishes: Wishes | null;
  suspended_until: number;
  hook_key: string;
}

/** What legal actions have in common; their label is found by the values at the places `by`. */
export interface ActionHead {
  verb: string;
  kinds: string[];
  names: boolean;
  role?: "take-up" | "take-back" | "lead" | "fight";
  ends?: string;
  left?: string;
  by: number[];
  labels: Record<string, string>;
}

/** What the computer would do, once it has thought: how much is done, of how much. */
export interface AdviceAnswer {
  seen: number;
  state: "running" | "failed" | "done";
  done: number;
  total: number;
  plans: PlanAdvice[];
}

/** The analysis of a finished game as far as it is; luck and skill are the first seat's, in shares of a game. */
export interface AnalysisAnswer {
  state: "running" | "failed" | "done";
  done: number;
  total: number;
  luck?: number;
  skill?: number;
  worst?: MistakeLine[];
}

/** One part of an action. */
export interface Argument {
  kind: string;
  value: string;
}

/** Who comes when and where; no places where the unit may choose freely. */
export interface Arrival {
  turn: number;
  side: string;
  places: string[];
  units: string[];
}

/** Support that is not a unit. */
export interface Asset {
  side: string;
  name: string;
  kind: string;
  strength: number;
}

/** What somebody would do in a problem. */
export interface Attempt {
  action: string;
}

/** A small mark on a counter. */
export interface Badge {
  key: string;
  n?: number;
}

/** The game that has begun, if it has. */
export interface Begun {
  game: string | null;
}

/** What the referee keeps of a game between people. */
export interface Between {
  terms: Terms;
  clock: Clock;
  deadline: number | null;
  offers: Record<string, OpenOffer>;
}

/** A rectangle in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a die leads to: the end of the combat, or who leads what comes next. */
export interface Branch {
  probability: string;
  result: string;
  attacker_loss: number;
  defender_loss: number;
  end?: string;
  lead?: string;
  then?: Branch[];
}

/** Several games as one. */
export interface Campaign {
  games: number;
  game: number;
  totals: Record<string, number>;
}

/** A chain of a player's dice: the number after which it begins, the last link shown, and the head that binds it. */
export interface Chain {
  first: number;
  last: number;
  head: string | null;
}

/** What to change about a game. */
export interface Change {
  name?: string | null;
  pace?: number | null;
  paused?: boolean | null;
  seats?: Record<string, string> | null;
}

/** A panel of what is still to come. */
export interface Chart {
  kind: "chart";
  key: string;
  rows: ChartRow[];
}

/** A cell of a chart; `n` is its turn. */
export interface ChartCell {
  key: string;
  side?: string;
  n?: number;
  now?: boolean;
  units: string[];
  chips?: Chip[];
}

/** A chart, with the rows that are as they were by their keys. */
export interface ChartChange {
  kind: "chart";
  key: string;
  rows: (ChartRow | string)[];
}

/** A formation on a chart of reinforcements. */
export interface ChartFormation {
  id: string;
  name: string;
  nation: string;
  turn: number;
  source: string;
}

/** A row of a chart. */
export interface ChartRow {
  key: string;
  side?: string;
  now?: boolean;
  cells: ChartCell[];
}

/** Something that was said. */
export interface ChatLine {
  id: number;
  name: string;
  seat: string;
  at: number;
  text: string;
}

/** A small named thing: `dim` is there, but not now; `now` is the one that counts at present. */
export interface Chip {
  key: string;
  label?: string;
  hint?: string;
  side?: string;
  n?: number;
  dim?: boolean;
  now?: boolean;
}

/** A panel of chips. */
export interface Chips {
  kind: "chips";
  key: string;
  chips: Chip[];
}

/** A chit of the cup. */
export interface Chit {
  side: string;
}

/** The time of each seat, whose runs, and whether it stands still. */
export interface Clock {
  left: Record<string, number | null>;
  running: string | null;
  paused: boolean | null;
}

/** One of the ways in which a combat ends. */
export interface CombatEnd {
  end: string;
  probability: string;
}

/** What somebody did. */
export interface Complaint {
  text: string;
  game?: string;
}

/** What never changes. */
export interface Components {
  units: Record<string, Counter>;
  places: Place[];
  tracks: Track[];
  markers: string[];
  overlays: string[];
  sequence: PhaseLine[];
  values?: string[];
  stacks?: "spread";
  charts?: FormationChart[];
  assets?: Record<string, Asset>;
  chits?: Record<string, Chit>;
}

/** Air or weather, in words. */
export interface Condition {
  key: string;
  label?: string;
  hint?: string;
  side?: string;
  n?: number;
  dim?: boolean;
  now?: boolean;
  text: string;
}

/** The code of a letter. */
export interface Confirmation {
  code: string;
}

/** A unit as it is printed. */
export interface Counter {
  side: string;
  name: string;
  symbol: string;
  size?: string;
  colour?: string;
  values: string;
  formation?: string;
  source: string;
  vehicle?: boolean;
  kind?: string;
}

/** The judge's opinion over the game. */
export interface Curve {
  seen: number;
  seat: string;
  points: CurvePoint[];
}

/** The judge's opinion after a ply. */
export interface CurvePoint {
  ply: number;
  turn: number;
  share: number;
  heading: string;
}

/** All rolls and what they amount to. */
export interface DiceAnswer {
  kind: string;
  commitment: string | null;
  secret: string | null;
  rolls: RollLine[];
  sides: Record<string, DiceSide>;
}

/** Rolls, and what was to be expected of them. */
export interface DiceFigures {
  rolls: number;
  faces: Record<string, number>;
  total: number;
  expected: number;
  spread: number;
}

/** How dice are rolled, the commitment of verified ones, and the sides of those that people must roll now. */
export interface DiceKind {
  kind: string;
  commitment: string | null;
  needed: number[];
  typists: string[];
  shares?: DiceShares;
}

/** What a player's program must know to give its share of the dice: docs/DICE.md. */
export interface DiceShares {
  binding: string;
  mine: Record<string, Record<string, Chain>>;
  theirs: Record<string, Record<string, Chain>>;
  next: Record<string, number>;
  due: string[];
  caster: string;
}

/** The dice of a side, all together and by what they were for. */
export interface DiceSide {
  rolls: number;
  faces: Record<string, number>;
  total: number;
  expected: number;
  spread: number;
  purposes: Record<string, DiceFigures>;
}

/** What lies on hexsides; `between` names the sides that a line keeps apart. */
export interface Edge {
  key: string;
  look: "line" | "cut" | "bridge";
  sides: ([string, string])[];
  between?: [string, string];
}

/** Something that happened; `news` if it changes how the game stands. */
export interface Event {
  rule: string;
  key: string;
  args: Record<string, any>;
  text: string;
  news?: true;
}

/** A combat: what each side was to expect to lose, and what it lost. */
export interface FightLuck {
  ply: number;
  seat: string;
  target: string;
  expected_attacker: number;
  expected_defender: number;
  attacker: number;
  defender: number;
}

/** What a side has and has lost. */
export interface Force {
  on_map: number;
  cut_off: string[];
  lost_units: number;
  lost_steps: number;
}

/** A chart of reinforcements, and the hexes where they enter. */
export interface FormationChart {
  id: string;
  side: string;
  hexes: string[];
  formations: ChartFormation[];
}

/** A game in a list. */
export interface GameLine {
  id: string;
  name: string;
  game: string;
  title: string;
  scenario: string;
  created: number;
  changed: number;
  ply: number;
  actor: string;
  heading: string;
  seats: SummarySeat[];
  owner: boolean;
  yours: boolean;
  result: Outcome | null;
  deadline: number | null;
  broken: string | null;
}

/** A game of the library. */
export interface GameTitle {
  id: string;
  name: string;
  title: string;
  seats: Named[];
  rules_version: number;
  scenarios: ScenarioLine[];
  options: OptionLine[];
}

/** Where hexes and off-map areas lie, in pixels from the top left; corner `i` is between directions `i`, `i + 1`. */
export interface Geometry {
  size: number;
  orientation: string;
  width: number;
  height: number;
  centres: Record<string, [number, number]>;
  corners: Record<string, ([number, number])[]>;
  areas: Record<string, Box>;
}

/** The password once more. */
export interface Goodbye {
  password: string;
}

/** Whether it works. */
export interface Health {
  ok: boolean;
}

/** What is in a hex. */
export interface HexFact {
  terrain: string;
  features: string[];
  source: string;
  place?: string;
}

/** A record to take up. */
export interface Import {
  record: string;
  name?: string;
  seats?: Record<string, string> | null;
}

/** A secret link to a seat. */
export interface Invitation {
  seat: string;
  invitation: string;
  link: string;
}

/** A seat to offer. */
export interface Invite {
  seat: string;
}

/** An invitation to accept. */
export interface Join {
  invitation: string;
}

/** A seat, and the token that plays it. */
export interface Joined {
  seat: string;
  token: string;
}

/** A key of a program, without the key. */
export interface KeyLine {
  id: string;
  name: string;
  scopes: string[];
  created: number;
}

/** An action that may be submitted now. */
export interface LegalAction {
  text: string;
  verb: string;
  args: Argument[];
  label: string;
  names: boolean;
  role?: "take-up" | "take-back" | "lead" | "fight";
  ends?: string;
  left?: string;
}

/** What a value of an overlay means. */
export interface LegendLine {
  value: number | string;
  key: string;
  text: string;
}

/** A link of a chain, its number, and the head of the other's chain that it is shown against. */
export interface Link {
  number: number;
  link: string;
  against: string;
}

/** One action of the log; `change` as in docs/API.md. */
export interface LogEntry {
  ply: number;
  seat: string;
  action: string | null;
  label: string | null;
  ends?: boolean;
  hint?: boolean;
  heading?: string;
  roll?: RollShown;
  way?: string[];
  events: Event[];
  change?: ViewChange;
  reasons: boolean;
}

/** A page of the log. */
export interface LogPage {
  seen: number;
  ply: number;
  entries: LogEntry[];
}

/** Expected losses. */
export interface Losses {
  attacker: number;
  defender: number;
  infantry_destroyed?: number;
  tank_destroyed?: number;
  artillery_destroyed?: number;
  infantry_retreating?: number;
  tank_retreating?: number;
  artillery_retreating?: number;
  trucks?: number;
  supply?: number;
}

/** What the dice did to both sides. */
export interface Luck {
  fights: FightLuck[];
  sides: SideLuck[];
}

/** An address for letters. */
export interface Mail {
  mail: string;
}

/** Where everything lies in the image of a map. */
export interface MapAnswer {
  scales: number[];
  scale: number;
  images: Record<string, string>;
  preview: string | null;
  geometry: Geometry;
}

/** A marker on the map. */
export interface Marker {
  key: string;
  where: string;
  label?: string;
  side?: string;
}

/** What a person may change about himself. */
export interface Me {
  about?: string | null;
  lang?: string | null;
  mail?: boolean | null;
  push?: boolean | null;
  hook?: string | null;
}

/** A decision that cost much, and what was better. */
export interface MistakeLine {
  ply: number;
  heading: string;
  seat: string;
  played: string;
  better: string;
  cost: number;
  reasons: string[];
}

/** An id and its name. */
export interface Named {
  id: string;
  name: string;
}

/** Names in a language. */
export interface Names {
  lang: string;
  names: Record<string, string>;
}

/** An account for a program that plays. */
export interface NewBot {
  name: string;
}

/** A bot account and its first key. */
export interface NewBotAnswer {
  name: string;
  key: string;
}

/** A game to start. */
export interface NewGame {
  game: string;
  scenario?: string;
  options?: Record<string, string>;
  seats?: Record<string, string>;
  dice?: "verified" | "typed";
  name?: string;
  pace?: number | null;
}

/** A key for a program. */
export interface NewKey {
  name: string;
  scopes?: ("read" | "play")[];
}

/** A key, shown once. */
export interface NewKeyAnswer {
  key: string;
}

/** A game that looks for an opponent. */
export interface NewOffer {
  kind?: "table" | "ticket" | "invite";
  game: string;
  scenario?: string;
  options?: Record<string, string>;
  seat?: string;
  pace?: "live" | "fast" | "slow" | "none";
  base?: number | null;
  increment?: number;
  timeout?: "lose" | "claim";
  dice?: "shared" | "verified";
  rated?: boolean;
  watch?: boolean;
  delay?: number;
  lowest?: number;
  highest?: number;
  note?: string;
  invite?: string;
}

/** Another password. */
export interface NewPassword {
  old: string;
  new: string;
}

/** A note to oneself. */
export interface Note {
  text: string;
}

/** A note to oneself. */
export interface NoteText {
  text: string;
}

/** Something that a person was told. */
export interface Notice {
  id: number;
  person_id: string;
  at: number;
  kind: string;
  game_id: string;
  words: Record<string, any>;
  read: boolean;
  text: string;
}

/** What a person was told, and the key for web push. */
export interface Notices {
  notices: Notice[];
  push_key: string;
}

/** What a side wants, whether it holds now, where to look. */
export interface Objective {
  rule: string;
  key: string;
  args: Record<string, any>;
  text: string;
  side: string;
  met: boolean;
  places: string[];
}

/** An attack in full, before the die. */
export interface Odds {
  column: string;
  outcomes: OutcomeLine[];
  expected: Losses;
  cleared: string;
  whole: WholeCombat;
  tree?: Branch[];
  target: string;
  attackers: Strength[];
  defenders: Strength[];
  attack_notes?: Said[];
  defence_notes?: Said[];
  attack: number;
  defence: number;
  ratio: string;
  shifts: Said[];
  one_more: OneMore[];
  then?: Said[];
  support?: SupportOdds;
  bombardment?: string[];
  dice?: number;
}

/** A game that looks for an opponent. */
export interface OfferLine {
  id: string;
  kind: string;
  game: string;
  scenario: string;
  options: Record<string, string>;
  seat: string;
  terms: Terms;
  lowest: number;
  highest: number;
  note: string;
  created: number;
  by: string;
  mine: boolean;
  rating: number;
  fits: boolean;
  invited: string | null;
}

/** What one more unit would do to an attack. */
export interface OneMore {
  unit: string;
  column: string;
  cleared: string;
}

/** A draw, a pause or a way back that a seat has offered; `to` is the ply. */
export interface OpenOffer {
  by: string;
  to?: number;
}

/** What was tried where the position looked the same. */
export interface OpeningsAnswer {
  games: number;
  tried: TriedLine[];
}

/** An option and what can be chosen. */
export interface OptionLine {
  id: string;
  name: string;
  rule: string;
  choices: Named[];
}

/** Several actions as one: as named; or `each` piece that a verb can name; or `units`, led by a verb towards a hex */
export interface Order {
  seen: number;
  actions?: string[] | null;
  each?: string | null;
  units?: string[];
  begin?: string | null;
  verb?: string;
  to?: string;
  commit?: boolean;
}

/** How a game ended; nobody wins a draw. */
export interface Outcome {
  rule: string;
  key: string;
  args: Record<string, any>;
  text: string;
  winner: string | null;
}

/** What some faces of the die lead to. */
export interface OutcomeLine {
  probability: string;
  rolls?: number[];
  result: string;
  attacker_loss: number;
  defender_loss: number;
}

/** Values by hex, lines, and a legend. */
export interface OverlayAnswer {
  hexes: Record<string, number | string>;
  lines: string[][];
  legend: LegendLine[];
  units?: Record<string, string[]>;
  sides?: OverlaySide[];
  walls?: ([string, string])[];
  routes?: Record<string, string[]>;
}

/** A hexside of an overlay, and the units that it is about. */
export interface OverlaySide {
  between: [string, string];
  value: string;
  units: string[];
}

/** The legal list: runs of actions, each the number of a head and rows of values; `called` are names by kind. */
export interface PackedLegal {
  heads: ActionHead[];
  called: Record<string, Record<string, string>>;
  runs: ([number, string])[];
}

/** An earlier position. */
export interface Past {
  ply: number;
  actor: string;
  heading: string;
  view: View;
}

/** A phase of a turn. */
export interface PhaseLine {
  key: string;
  side?: string;
  n?: number;
}

/** Where units can stand outside the hexes. */
export interface Place {
  id: string;
  kind: "area" | "box";
  side?: string;
  hexes?: string[];
}

/** How a game ended, by its rules. */
export interface PlainResult {
  winner: string | null;
  rule: string;
  key: string;
}

/** A plan: how likely it wins as far as that was tried, how it begins, and why. */
export interface PlanAdvice {
  share: number | null;
  actions: LegalAction[];
  told: string[];
  paths: string[][];
  odds: Odds | null;
}

/** What an order would do. */
export interface PlanAnswer {
  seen: number;
  actions: string[];
  ends: Record<string, string>;
  stragglers: string[];
  held: string[];
  preview: Preview;
}

/** Who is at a table. */
export interface PresenceAnswer {
  seats: string[];
  watching: number;
}

/** What an action would do: its way, its odds, what cannot be taken back; empty if nothing is worth showing. */
export interface Preview {
  path?: string[];
  cost?: number;
  note?: Said;
  effects?: Said[];
  odds?: Odds;
}

/** Actions to look at. */
export interface Previews {
  actions: string[];
}

/** What actions would do. */
export interface PreviewsAnswer {
  seen: number;
  previews: Record<string, Preview>;
}

/** A hex that scores, who holds it, whether it scores now. */
export interface Prize {
  place: string;
  worth: number;
  side: string;
  counts: boolean;
}

/** A problem with known best play. */
export interface ProblemLine {
  name: string;
  game: string;
  title: string;
  kind: string;
  seat: string;
  goal: string;
}

/** All problems. */
export interface Problems {
  puzzles: ProblemLine[];
}

/** What others read about a person. */
export interface Profile {
  name: string;
  kind: string;
  about: string;
  since: number;
  moves_in_time: number;
  games_left: number;
  suspended: boolean;
  keeper: string | null;
  ratings: Record<string, RatingLine>;
  results: ResultLine[];
}

/** A draw, a pause, or to go back to a ply. */
export interface Proposal {
  kind: "draw" | "undo" | "pause";
  to?: number | null;
}

/** A person's rating in a game. */
export interface RatingLine {
  rating: number;
  deviation: number;
  games: number;
}

/** Why a bot did what it did, in sentences. */
export interface Reasons {
  ply: number;
  reasons: string[];
}

/** A step forward again, or a whole turn back. */
export interface Redo {
  seen: number;
}

/** A person to be. */
export interface Registration {
  name: string;
  password: string;
  mail?: string | null;
}

/** A page of the log with the view at its start. */
export interface ReplayPage {
  seen: number;
  ply: number;
  entries: LogEntry[];
  start: View;
}

/** Yes or no to a proposal. */
export interface Reply {
  kind: "draw" | "undo" | "pause" | "resume";
  yes: boolean;
}

/** Another password for who has read the letter. */
export interface Reset {
  code: string;
  password: string;
}

/** A person's results in a game on a side. */
export interface ResultLine {
  game: string;
  seat: string;
  won: number;
  drawn: number;
  lost: number;
}

/** A roll and what it was for. */
export interface RollLine {
  ply: number;
  seat: string;
  purpose: string;
  faces: number[];
}

/** The faces of a roll, and the panel that shows where the dice lie, if the game has one. */
export interface RollShown {
  faces: number[];
  panel?: Chips | Chart | Strips;
}

/** A prompt, event, refusal or result with its sentence. */
export interface Said {
  rule: string;
  key: string;
  args: Record<string, any>;
  text: string;
}

/** Something said. */
export interface Saying {
  text: string;
}

/** A scenario. */
export interface ScenarioLine {
  id: string;
  name: string;
  turns: number;
  rule: string;
}

/** Points now, at the end of the turn as units stand, and needed. */
export interface Score {
  side: string;
  now: number;
  projected: number;
  needed: number;
}

/** Who sits where. */
export interface SeatLine {
  seat: string;
  name: string;
  player: string;
  person?: string;
  mine: boolean;
}

/** A player's part of shared dice: new commitments, and links to show (docs/DICE.md). */
export interface Shares {
  commit?: Record<string, string>;
  show?: Record<string, Link>;
}

/** A side's fights in sum: how many it began, and how much more it lost than was to be expected. */
export interface SideLuck {
  seat: string;
  fights: number;
  more_lost: number;
}

/** A person who comes back. */
export interface SignIn {
  name: string;
  password: string;
}

/** Who is winning, and why. */
export interface Situation {
  seen: number;
  objectives: Objective[];
  enough: "all" | "any";
  notes: Objective[];
  score: Score | null;
  prizes: Prize[];
  forces: Record<string, Force>;
  arrivals: Arrival[];
  conditions: Condition[];
}

/** The present position for one viewer (docs/API.md). */
export interface Snapshot {
  mark: string;
  id: string;
  name: string;
  game: string;
  title: string;
  scenario: string;
  options: Record<string, string>;
  created: number;
  changed: number;
  seen: number;
  ply: number;
  owner: boolean;
  seats: SeatLine[];
  seat: string;
  actor: string;
  yours: boolean;
  thinking: boolean;
  trouble: string | null;
  heading: string;
  prompt: Said | null;
  view: View;
  legal: LegalAction[];
  sets: Record<string, number>;
  hindrance: Said | null;
  undo_to: number | null;
  can_redo: boolean;
  dice: DiceKind;
  result: Outcome | null;
  between: Between | null;
  pace: number;
  paused: boolean;
}

/** What is new in the snapshot with the mark `from`; other keys are as they were. */
export interface SnapshotChange {
  from: string;
  told: boolean;
  between: Between | null;
  mark?: string;
  name?: string;
  title?: string;
  changed?: number;
  seen?: number;
  ply?: number;
  owner?: boolean;
  seats?: SeatLine[];
  seat?: string;
  actor?: string;
  yours?: boolean;
  thinking?: boolean;
  trouble?: string | null;
  heading?: string;
  prompt?: Said | null;
  view?: ViewChange;
  legal?: PackedLegal;
  sets?: Record<string, number>;
  hindrance?: Said | null;
  undo_to?: number | null;
  can_redo?: boolean;
  dice?: DiceKind;
  result?: Outcome | null;
  pace?: number;
  paused?: boolean;
}

/** Whether an answer was right, and what every choice achieves. */
export interface Solution {
  right: boolean;
  told: Weighed[];
}

/** A square of a strip: the numbers that hit it, the dice on it, what becomes of it. */
export interface Square {
  unit: string;
  n: number;
  numbers: number[];
  dice: number[];
  result: string;
}

/** A game that was created or imported. */
export interface Started {
  id: string;
  token: string;
  snapshot: Snapshot;
}

/** A unit of a combat: its strength, what it counts, and why. */
export interface Strength {
  unit: string;
  strength: number;
  final: number;
  modifiers: Said[];
}

/** The squares of one side of a battle. */
export interface StripRow {
  side: string;
  dice: number;
  rolled: boolean;
  missed: number[];
  squares: Square[];
}

/** A panel of the squares of a battle. */
export interface Strips {
  kind: "strips";
  key: string;
  where: string;
  rows: StripRow[];
}

/** An action to play, or the faces of real dice. */
export interface Submission {
  seen: number;
  action?: string | null;
  faces?: number[] | null;
}

/** Where a browser takes pushes. */
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Who sits where, in a list of games. */
export interface SummarySeat {
  seat: string;
  mine: boolean;
  player: string;
  person?: string;
}

/** The same attack with all support in range. */
export interface SupportOdds {
  column: string;
  outcomes: OutcomeLine[];
  expected: Losses;
  cleared: string;
  whole: WholeCombat;
  tree?: Branch[];
  units: string[];
  words: string[];
}

/** A table of the rules, as its data has it. */
export interface TableOfGame {
  key: string;
  columns: string[];
  rows: string[][];
}

/** A problem to be solved. */
export interface Task {
  name: string;
  game: string;
  title: string;
  kind: string;
  seat: string;
  goal: string;
  heading: string;
  prompt: string;
  legal: LegalAction[];
}

/** What two persons agreed on. */
export interface Terms {
  pace: string;
  base: number | null;
  increment: number;
  timeout: string;
  dice: string;
  rated: boolean;
  watch: boolean;
  delay: number;
}

/** A track and its last space; `goal` is what a side wants to reach. */
export interface Track {
  id: string;
  side: string;
  max: number;
  goal?: number;
}

/** What was tried, in how many games, and how many of them each seat won. */
export interface TriedLine {
  action: string;
  label: string;
  games: number;
  wins: Record<string, number>;
}

/** Why something was not done; nothing has changed. Some answers say more: the present position, the dice needed. */
export interface Trouble {
  error: string;
  message: string;
}

/** A step back: one action, or to a ply. */
export interface Undo {
  seen: number;
  to?: number | null;
}

/** A unit as it is now: where, what differs from its printed values, its marks; `done` for this phase. */
export interface UnitSeen {
  where?: string;
  values?: string;
  badges: Badge[];
  done?: boolean;
}

/** What has happened since `seen`, and the present position: whole, or what is new in the one that is held. */
export interface Update {
  seen: number;
  ply: number;
  cut: number;
  gap: boolean;
  entries: LogEntry[];
  snapshot?: Snapshot;
  change?: SnapshotChange;
}

/** Whether the dice of a finished game are proved. */
export interface Verdict {
  ok: boolean;
  message: string;
}

/** What a seat may see now. */
export interface View {
  turn: number;
  turns: number;
  at: number;
  actor: string;
  units: Record<string, UnitSeen>;
  markers: Marker[];
  tracks: Record<string, number>;
  result: PlainResult | null;
  edges?: Edge[];
  panels?: (Chips | Chart | Strips)[];
  command?: Record<string, string>;
  campaign?: Campaign;
  initiative?: string;
}

/** What is new in a view: units one by one, null for one that is gone; a panel that is as it was by its key. */
export interface ViewChange {
  turn?: number;
  turns?: number;
  at?: number;
  actor?: string;
  units: Record<string, UnitSeen | null>;
  markers?: Marker[];
  tracks?: Record<string, number>;
  result?: PlainResult | null;
  edges?: Edge[];
  panels?: (Chips | ChartChange | Strips | string)[];
  command?: Record<string, string>;
  campaign?: Campaign;
  initiative?: string;
}

/** A game that waits for one's move. */
export interface WaitingGame {
  id: string;
  name: string;
  deadline: number | null;
}

/** What a choice achieves, from 0 (the worst) to 1 (the best). */
export interface Weighed {
  action: string;
  label: string;
  share: number;
}

/** The combat to its end: expected losses, and how it ends. */
export interface WholeCombat {
  attacker: number;
  defender: number;
  ends: CombatEnd[];
}

/** Why an action is not allowed; nothing if it is. */
export interface WhyNot {
  legal: boolean;
  refusals: Said[];
}

/** How a person wants to be told. */
export interface Wishes {
  mail?: boolean;
  push?: boolean;
  hook?: string;
}

/** What GET answers, by path. */
export interface Get {
  (path: `games/${string}/at/${string}`, more?: More): Promise<Past>;
  (path: `games/${string}/overlay/${string}`, more?: More): Promise<OverlayAnswer>;
  (path: `games/${string}/reasons/${string}`, more?: More): Promise<Reasons>;
  (path: `games/${string}/rolls/${string}`, more?: More): Promise<Preview>;
  (path: "people/me/export", more?: More): Promise<Record<string, any>>;
  (path: "people/me/keys", more?: More): Promise<KeyLine[]>;
  (path: `games/${string}/advice`, more?: More): Promise<AdviceAnswer>;
  (path: `games/${string}/analysis`, more?: More): Promise<AnalysisAnswer>;
  (path: `games/${string}/chat`, more?: More): Promise<ChatLine[]>;
  (path: `games/${string}/curve`, more?: More): Promise<Curve>;
  (path: `games/${string}/dice`, more?: More): Promise<DiceAnswer>;
  (path: `games/${string}/log`, more?: More): Promise<LogPage>;
  (path: `games/${string}/luck`, more?: More): Promise<Luck>;
  (path: `games/${string}/note`, more?: More): Promise<NoteText>;
  (path: `games/${string}/openings`, more?: More): Promise<OpeningsAnswer>;
  (path: `games/${string}/position`, more?: More): Promise<string>;
  (path: `games/${string}/presence`, more?: More): Promise<PresenceAnswer>;
  (path: `games/${string}/preview`, more?: More): Promise<Preview>;
  (path: `games/${string}/record`, more?: More): Promise<string>;
  (path: `games/${string}/replay`, more?: More): Promise<ReplayPage>;
  (path: `games/${string}/report`, more?: More): Promise<string>;
  (path: `games/${string}/situation`, more?: More): Promise<Situation>;
  (path: `games/${string}/verify`, more?: More): Promise<Verdict>;
  (path: `games/${string}/why`, more?: More): Promise<WhyNot>;
  (path: `library/${string}/catalog`, more?: More): Promise<Names>;
  (path: `library/${string}/components`, more?: More): Promise<Components>;
  (path: `library/${string}/hexes`, more?: More): Promise<Record<string, HexFact>>;
  (path: `library/${string}/map`, more?: More): Promise<MapAnswer>;
  (path: `library/${string}/map.png`, more?: More): Promise<null>;
  (path: `library/${string}/tables`, more?: More): Promise<TableOfGame[]>;
  (path: `puzzles/${string}/board.svg`, more?: More): Promise<null>;
  (path: "notices/waiting", more?: More): Promise<WaitingGame[]>;
  (path: "people/me", more?: More): Promise<Account>;
  (path: `games/${string}`, more?: More): Promise<Snapshot>;
  (path: `people/${string}`, more?: More): Promise<Profile>;
  (path: `puzzles/${string}`, more?: More): Promise<Task>;
  (path: "about", more?: More): Promise<About>;
  (path: "games", more?: More): Promise<GameLine[]>;
  (path: "health", more?: More): Promise<Health>;
  (path: "library", more?: More): Promise<GameTitle[]>;
  (path: "notices", more?: More): Promise<Notices>;
  (path: "puzzles", more?: More): Promise<Problems>;
  (path: "ready", more?: More): Promise<Health>;
  (path: "room", more?: More): Promise<OfferLine[]>;
}

/** What POST answers, by path. */
export interface Post {
  (path: "people/me/bots", body: NewBot, more?: More): Promise<NewBotAnswer>;
  (path: "people/me/keys", body: NewKey, more?: More): Promise<NewKeyAnswer>;
  (path: "people/me/mail", body: Mail, more?: More): Promise<null>;
  (path: "people/me/password", body: NewPassword, more?: More): Promise<null>;
  (path: `games/${string}/abandon`, body: {}, more?: More): Promise<Snapshot>;
  (path: `games/${string}/actions`, body: Submission, more?: More): Promise<Update>;
  (path: `games/${string}/answers`, body: Reply, more?: More): Promise<Snapshot>;
  (path: `games/${string}/chat`, body: Saying, more?: More): Promise<null>;
  (path: `games/${string}/claim`, body: {}, more?: More): Promise<Snapshot>;
  (path: `games/${string}/hide`, body: {}, more?: More): Promise<null>;
  (path: `games/${string}/hint`, body: Redo, more?: More): Promise<Update>;
  (path: `games/${string}/invitations`, body: Invite, more?: More): Promise<Invitation>;
  (path: `games/${string}/join`, body: Join, more?: More): Promise<Joined>;
  (path: `games/${string}/offers`, body: Proposal, more?: More): Promise<Snapshot>;
  (path: `games/${string}/orders`, body: Order, more?: More): Promise<PlanAnswer | Update>;
  (path: `games/${string}/previews`, body: Previews, more?: More): Promise<PreviewsAnswer>;
  (path: `games/${string}/redo`, body: Redo, more?: More): Promise<Update>;
  (path: `games/${string}/rematch`, body: {}, more?: More): Promise<Begun>;
  (path: `games/${string}/reset`, body: Redo, more?: More): Promise<Update>;
  (path: `games/${string}/resign`, body: {}, more?: More): Promise<Snapshot>;
  (path: `games/${string}/resume`, body: {}, more?: More): Promise<Snapshot>;
  (path: `games/${string}/shares`, body: Shares, more?: More): Promise<Snapshot>;
  (path: `games/${string}/undo`, body: Undo, more?: More): Promise<Update>;
  (path: `people/${string}/report`, body: Complaint, more?: More): Promise<null>;
  (path: `puzzles/${string}/answers`, body: Attempt, more?: More): Promise<Solution>;
  (path: `room/${string}/join`, body: {}, more?: More): Promise<Begun>;
  (path: "games/import", body: Import, more?: More): Promise<Started>;
  (path: "notices/push", body: Subscription, more?: More): Promise<null>;
  (path: "notices/read", body: {}, more?: More): Promise<null>;
  (path: "people/confirm", body: Confirmation, more?: More): Promise<null>;
  (path: "people/forgot", body: Mail, more?: More): Promise<null>;
  (path: "people/register", body: Registration, more?: More): Promise<Account>;
  (path: "people/reset", body: Reset, more?: More): Promise<null>;
  (path: "people/sign-in", body: SignIn, more?: More): Promise<Account>;
  (path: "people/sign-out", body: {}, more?: More): Promise<null>;
  (path: "games", body: NewGame, more?: More): Promise<Started>;
  (path: "room", body: NewOffer, more?: More): Promise<Begun>;
}
