import { Refusal } from '../core/errors.js'
import type { EventActor } from '../core/events/actor.js'
import { type AtOnce, FairQueue } from '../lib/fair/fair-queue.js'
import { SpacedQueue } from '../lib/fair/spaced-queue.js'
import type { Noun } from './events/acting.js'
import { isWrite, type Kind, type Whose } from './method.js'

/** How a method of the store is called: on its noun. */
export type Call = (this: Noun | undefined, ...args: never[]) => Promise<unknown>

/**
 * Long reads take all the processor time that they get, here and in PostgreSQL: four at once, for forty clients that listed 5,000
 * checks each, made alerts of others wait for seconds, and answered the forty no sooner.
 */
const LONG_READS: AtOnce = { inAll: 2, perKey: 1 }

/**
 * The turns of what requests ask of the store, so that nobody's many requests delay those of others, nor the pings and alerts for which the same
 * process has to work. `writes`: how many writes of requests run at once, in all and of one caller.
 */
export class Turns {
  readonly #longReads = new FairQueue<number | string | undefined>(LONG_READS)
  readonly #writes: FairQueue<string>
  /** Of what writes much: by method, so that what many callers ask for has the turns of one. */
  readonly #costly = new SpacedQueue<string>()

  constructor(writes: AtOnce) {
    this.#writes = new FairQueue(writes)
  }

  /**
   * `call`, a method of this kind, which waits for its turn. What Punctual itself writes has none unless it is costly. A long read that nobody waits for any more when its
   * turn comes is refused: clients that give up and ask again would otherwise make a queue that only grows. So is what its caller may not
   * do any more when its turn comes, unless `isAlwaysAllowed`.
   */
  of(kind: Kind, call: Call, { name = '', isAlwaysAllowed = false } = {}): Call {
    if (kind === 'costlyWrite') return this.#costlyTurns(name, this.#of(kind, call, isAlwaysAllowed))
    return this.#of(kind, call, isAlwaysAllowed)
  }

  #costlyTurns(name: string, call: Call): Call {
    const costly = this.#costly
    const callers = new FairQueue<string>()
    return function (this: Noun | undefined, ...args) {
      const run = () => costly.run(name, () => call.apply(this, args))
      return this?.actor ? callers.run(callerOf(this.actor), run) : run()
    }
  }

  #of(kind: Kind, call: Call, isAlwaysAllowed: boolean): Call {
    const [longReads, writes] = [this.#longReads, this.#writes]
    if (kind === 'longRead') {
      return function (this: Noun | undefined, ...args) {
        return longReads.run(projectOf(args[0] as unknown as Whose), async () => {
          if (this?.isWanted?.() === false) throw new Refusal('gone', 'nobody waits for the answer')
          if (this?.requireAccess) await this.requireAccess()
          return await call.apply(this, args)
        })
      }
    }
    if (!isWrite(kind)) return call
    return function (this: Noun | undefined, ...args) {
      const actor = this?.actor
      if (!actor) return call.apply(this, args)
      return writes.run(callerOf(actor), async () => {
        if (this.requireAccess && !isAlwaysAllowed) await this.requireAccess()
        return await call.apply(this, args)
      })
    }
  }
}

/** Of several projects the first: most people have few, and see them in the same order. */
function projectOf(whose: Whose): number | string | undefined {
  if (typeof whose !== 'object') return whose
  if (isList(whose)) return whose[0] === undefined ? undefined : projectOf(whose[0])
  return 'projectId' in whose ? whose.projectId : whose.id
}

function isList<One>(whose: One | readonly One[]): whose is readonly One[] {
  return Array.isArray(whose)
}

function callerOf({ kind, id, address }: EventActor): string {
  return `${kind} ${id ?? address}`
}
