// What crosses from Python to the page, and what the modules keep of it; payloads.py and live_turn.py write it.

/** `bar`: its numbers are drawn as well; `far`: so many rows are where the result is, to be asked for. */
interface Column { title: string; name: string; number: boolean; bar?: boolean }
interface Table { columns: Column[]; rows: (string | null)[][]; keys: ((number | null)[] | null)[]; said: string; partial: boolean; null?: string; far?: number }
interface Evidence { sql: string; whom: string; filters: string[]; notes: string[]; rows: string; partial: boolean; uuid: string }
interface Chart { spec: any | null; said: string; note: string; fit: boolean }
interface Result { language?: string | null; words?: any; title: string; table: Table; chart: Chart | null; evidence: Evidence; ms: number | null }
interface Tool {
  id: string; name: string; label: string; sql: string; detail: string; state: string; rows: string;
  ms: number | null; progress: number | null; error: string; started?: number;
}
/** One of the readings that are offered where a question can be read in several ways. */
interface Choice { question: string; reading: any }
interface Feedback { verdict: "right" | "wrong"; why: string }
/** How a turn ended, where not with an answer; what a language model took for it. */
interface Ended { outcome: string; said: string }
interface Spent { said: string; calls: number; tokens: number; cost: number | null }
interface Turn {
  /** Its place here; its number in the thread, and that of the turn it follows (0: none), where the service says them. */
  n: number; turn: number | null; after: number | null; feedback: Feedback | null; question: string; status: string; html: string; text: string; thinking: string; error: string;
  tools: Tool[]; results: Result[]; suggestions: string[]; reading?: any; readingWords?: any; choices?: Choice[];
  ended?: Ended | null; spent?: Spent | null;
  /** Without html and text: so many characters of text are here already. */
  chars?: number;
}
/** A formatted stretch of a growing text; without html it is a paragraph of plain words. */
interface Stretch { off: number; end: number; html?: string }
interface Live {
  n: number; question: string; after: number | null; text: string; thinking: string; tools: Tool[]; blocks: Stretch[]; tail: Stretch | null;
  started: number; stopping?: boolean; came?: number; every?: number;
}
/** Asks for something of a table's rows, and is told what comes; returns the number of what was asked. */
type Ask = (act: string, look: any, then?: (told: any, buffers?: any[]) => void) => number;
/** The road to Python: a widget's model, one side of a comparison, or a page's connection. */
interface Model {
  get(name: string): any;
  send(message: any): void;
  widget_manager?: any;
  cells?: boolean;
  pictures?: boolean;
  renderer?: () => Promise<any>;
  tiles?: (id: string) => AsyncGenerator<any>;
}
interface Chat {
  uid: string; turns: Turn[]; left: number; live: Live | null; whoami: string; chatId: string; suggestions: string[];
  threads: { chatId: string; title: string }[] | null; known: boolean; silent: string; unheard: number; problem: string;
  notice: string; sent: number; views: Set<(what: string, detail?: any) => void>; timers: Map<number, any>;
  pictured: Set<string>; // ids of the results whose charts are pictured, or wait for it
  leaf: number | null; // the turn that the path shown ends with; null: the newest
  cells: Map<number, (message: any, buffers?: any[]) => void>; model: Model; result?: Result; title: string;
  before: Map<number, any>; // readings as they were before they were changed, by the turn that asked the change
  ask: (question: string, reading?: any) => boolean; halt: () => void;
}
/** The element a chart stands in. */
interface ChartPlace extends HTMLDivElement {
  redraw: () => void; view?: any; later?: number; stale?: boolean; drawing?: boolean; wide?: number;
}
