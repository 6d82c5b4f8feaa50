import { roughLength, shortRelative } from '../core/time/relative-time.js'
import { shareOf } from './components/checks/until-due.js'

/** What changes with time alone: relative times, durations, and the lines of {@link UntilDue}. */
const TIMED =
  /<time [^>]*?datetime="([^"]+)"[^>]*? data-(relative|elapsed)[^>]*>[^<]*|(<progress [^>]*?)data-span="(\d+) (\d+)" value="\d+"/g

type Part = (now: number) => string

/** HTML that is rendered once. Its times are brought up to date when it is shown, as a script does in the browser. */
export class TimedHtml {
  readonly #texts: string[] = []
  readonly #parts: Part[] = []

  constructor(html: string) {
    let end = 0
    for (const match of html.matchAll(TIMED)) {
      const [whole, datetime, kind, progress, from, due] = match
      const start = datetime === undefined ? progress! : whole.slice(0, whole.lastIndexOf('>') + 1)
      this.#texts.push(html.slice(end, match.index) + start)
      this.#parts.push(
        datetime === undefined
          ? now => `value="${shareOf(Number(from), Number(due), now)}"`
          : wordsOf(kind!, Date.parse(datetime)),
      )
      end = match.index + whole.length
    }
    this.#texts.push(html.slice(end))
  }

  /** The HTML at `now` (ms). */
  at(now: number): string {
    let html = this.#texts[0]!
    for (const [index, part] of this.#parts.entries()) html += part(now) + this.#texts[index + 1]
    return html
  }
}

function wordsOf(kind: string, at: number): Part {
  return kind === 'elapsed' ? now => roughLength(now - at) : now => shortRelative(at, now)
}
