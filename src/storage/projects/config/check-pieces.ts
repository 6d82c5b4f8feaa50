/**
 * The checks of a project on the way from the thread that reads them. 10,000 would take as one message a tenth of a second to receive, in which
 * no ping is answered, so they are sent in pieces, which are read in turns.
 */
import type { Json } from '../../../core/config/project-config.js'
import type { OnPiece } from '../../json-bytes.js'
import type { StoredObject } from './stored-object.js'

/** About how long the text of a piece is. */
const PIECE = 65_536

/** A check without its channels: its place in the lists of the piece, and its values in the order of the names. */
type Sent = [key: string, owner: string | null, ref: string, seen: string, channels: number, values: Json[]]

/** The checks have the values of these names. Lists of channels that are one list are sent once in a piece. */
interface Piece {
  names: readonly string[]
  lists: readonly Json[]
  checks: readonly Sent[]
}

/** Passes checks on, in turns. All of them have the same values in one order, and none is over. */
export function* passChecks(checks: readonly StoredObject[], onPiece: OnPiece): Generator<void, void> {
  const names = [...(checks[0]?.values.keys() ?? [])].filter(name => name !== 'channels')
  let piece = new PieceText(names)
  for (const check of checks) {
    piece.add(check)
    if (piece.length > PIECE) {
      onPiece(piece.bytes())
      piece = new PieceText(names)
    }
    yield
  }
  if (piece.length > 0) onPiece(piece.bytes())
}

/** The checks that were passed on, in turns. */
export function* checksIn(pieces: readonly Uint8Array[]): Generator<void, StoredObject[]> {
  const checks: StoredObject[] = []
  for (const bytes of pieces) {
    const { names, lists, checks: sent } = JSON.parse(Buffer.from(bytes).toString()) as Piece
    for (const [key, owner, ref, seen, channels, given] of sent) {
      const values = new Map<string, Json>()
      for (const [place, name] of names.entries()) values.set(name, given[place]!)
      values.set('channels', lists[channels]!)
      checks.push({ key, owner, ref, values, seen, isOver: false })
      yield
    }
  }
  return checks
}

class PieceText {
  readonly #lists = new Map<Json, number>()
  #listTexts = ''
  #checkTexts = ''

  constructor(private readonly names: readonly string[]) {}

  get length(): number {
    return this.#listTexts.length + this.#checkTexts.length
  }

  add({ key, owner, ref, seen, values }: StoredObject): void {
    const channels = this.#placeOf(values.get('channels')!)
    const given = this.names.map(name => values.get(name)!)
    const sent: Sent = [key, owner, ref, seen, channels, given]
    this.#checkTexts += `${this.#checkTexts === '' ? '' : ','}${JSON.stringify(sent)}`
  }

  #placeOf(list: Json): number {
    const known = this.#lists.get(list)
    if (known !== undefined) return known
    const place = this.#lists.size
    this.#lists.set(list, place)
    this.#listTexts += `${place === 0 ? '' : ','}${JSON.stringify(list)}`
    return place
  }

  /** In a buffer of their own, which crosses threads without a copy. */
  bytes(): Uint8Array {
    const text = `{"names":${JSON.stringify(this.names)},"lists":[${this.#listTexts}],"checks":[${this.#checkTexts}]}`
    return new TextEncoder().encode(text)
  }
}
