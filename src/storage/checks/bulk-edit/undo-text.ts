/** What can be undone, as it is stored. */
import type { Values } from '../../../core/checks/bulk-edit/edit-check.js'
import type { EditStep, Step, Undoable } from '../../../core/checks/undo.js'

/** Lists of channels are stored once: hundreds of checks may have the same hundreds of channels. */
interface Stored {
  steps: (
    | Exclude<Step, EditStep>
    | (Omit<EditStep, 'before' | 'after'> & Record<'before' | 'after', Packed>)
  )[]
  /** Absent: steps have their own. */
  lists?: string[][]
}

/** `channels`: the place of the list. */
type Packed = Omit<Values, 'channels'> & { channels?: number | string[] }

/** JSON; plans begin with `{"plan":`. */
export function undoText(change: Undoable): string {
  if ('plan' in change || !change.steps.some(({ did }) => did === 'edit')) return JSON.stringify(change)
  const lists: string[][] = []
  const places = new Map<string, number>()
  const pack = ({ channels, ...values }: Values): Packed => {
    if (!channels) return values
    const key = channels.join()
    const place = places.get(key) ?? lists.push(channels) - 1
    places.set(key, place)
    return { ...values, channels: place }
  }
  const steps = change.steps.map(step =>
    step.did === 'edit' ? { ...step, before: pack(step.before), after: pack(step.after) } : step,
  )
  return JSON.stringify({ steps, lists } satisfies Stored)
}

/** Reads what {@link undoText} wrote. */
export function readUndo(text: string): Undoable {
  const read = JSON.parse(text) as Stored | Undoable
  if ('plan' in read || !('lists' in read)) return read as Undoable
  const unpack = ({ channels, ...values }: Packed): Values =>
    typeof channels === 'number' ? { ...values, channels: read.lists![channels]! } : (values as Values)
  return {
    steps: read.steps.map(step =>
      step.did === 'edit' ? { ...step, before: unpack(step.before), after: unpack(step.after) } : step,
    ),
  }
}
