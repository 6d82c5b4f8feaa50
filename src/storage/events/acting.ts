import type { EventActor } from '../../core/events/actor.js'
import type { Actor } from '../../lib/actor.js'

/** What a method of the store is called on: a noun of the store, which knows who acts if {@link actingStore} made it. */
export interface Noun {
  readonly actor?: EventActor
  /** Whether somebody waits for what its methods return; absent: yes. */
  readonly isWanted?: () => boolean
  /** Rejects with a refusal if who acts may not do so any more; absent: nobody can end it. See http/acting-deps.ts. */
  readonly requireAccess?: () => Promise<void>
  /** Called when a method has changed what its own caller was admitted by: `requireAccess` rejects no more, see `changesAccess` in ../store.ts. */
  readonly finish?: () => void
}

/** Looks at the access of who acts. */
export type AccessLook = Required<Pick<Noun, 'requireAccess' | 'finish'>>

/**
 * The same store, whose methods act for `actor`: their events say so. Without it Punctual itself acts. Its methods are called on
 * their noun, as in `store.checks.pause(…)`. Long reads are not begun once `isWanted` returns false, and neither they nor writes once
 * `requireAccess` rejects.
 */
export function actingStore<S extends object>(
  store: S,
  { kind, id, name, address }: Actor,
  { isWanted, requireAccess, finish }: Omit<Noun, 'actor'> = {},
): S {
  const own: Noun = {
    ...(kind !== 'system' && { actor: { kind, id, name, address } }),
    ...(isWanted && { isWanted }),
    ...(requireAccess && { requireAccess }),
    ...(finish && { finish }),
  }
  if (Object.keys(own).length === 0) return store
  const known = ACTING.get(store) as ((own: Noun) => S) | undefined
  const act = known ?? makeActing(store)
  if (!known) ACTING.set(store, act)
  return act(own)
}

/** How each store is made to act: every request needs that, and objects of one shape are made in a quarter of the time. */
const ACTING = new WeakMap<object, (own: Noun) => object>()

function makeActing<S extends object>(store: S): (own: Noun) => S {
  // The events of the process are everybody's, and no noun.
  const nouns = Object.entries(store).flatMap(([name, methods]) =>
    name !== 'changes' && typeof methods === 'object' ? [[name, actingNoun(methods)] as const] : [],
  )
  class ActingStore {}
  Object.setPrototypeOf(ActingStore.prototype, store)
  return own => {
    const acting = new ActingStore() as Record<string, unknown>
    for (const [name, ActingNoun] of nouns) acting[name] = new ActingNoun(own)
    return acting as S
  }
}

/** The class of a noun that has these methods and knows who acts. */
function actingNoun(methods: object): new (own: Noun) => object {
  class ActingNoun {
    readonly actor
    readonly isWanted
    readonly requireAccess
    readonly finish

    constructor(own: Noun) {
      this.actor = own.actor
      this.isWanted = own.isWanted
      this.requireAccess = own.requireAccess
      this.finish = own.finish
    }
  }
  Object.setPrototypeOf(ActingNoun.prototype, methods)
  return ActingNoun
}

/** Who calls a method on `noun`, as its events keep it; null: Punctual itself. Throws if it was not called on its noun. */
export function eventActor(noun: Noun | undefined): EventActor | null {
  if (!noun) throw new Error('a method of the store must be called on its noun, which knows who acts')
  return noun.actor ?? null
}
