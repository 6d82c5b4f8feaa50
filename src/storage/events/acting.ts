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
  const known = ACTING.get(store) as ActingClass<S> | undefined
  const ActingStore = known ?? actingClass(store)
  if (!known) ACTING.set(store, ActingStore)
  return new ActingStore(own)
}

type ActingClass<S> = new (own: Noun) => S

/** The classes of acting stores: each request makes one, which has to cost nothing. */
const ACTING = new WeakMap<object, ActingClass<object>>()

/** The class of a store that acts. It makes its nouns when they are used: most requests use two. */
function actingClass<S extends object>(store: S): ActingClass<S> {
  type Acting = Record<string, unknown> & { own: Noun }
  const ActingStore = function (this: Acting, own: Noun) {
    this.own = own
  }
  ActingStore.prototype = Object.create(store)
  for (const [name, methods] of Object.entries(store)) {
    // The events of the process are everybody's, and no noun.
    if (name === 'changes' || typeof methods !== 'object') continue
    const ActingNoun = nounClass(methods)
    const made = `made ${name}`
    Object.defineProperty(ActingStore.prototype, name, {
      get(this: Acting) {
        this[made] ??= new ActingNoun(this.own)
        return this[made]
      },
    })
  }
  return ActingStore as unknown as ActingClass<S>
}

/** The class of a noun that has these methods and knows who acts. It is no `class`, whose fields are slow to make. */
function nounClass(methods: object): ActingClass<object> {
  const ActingNoun = function (this: Record<string, unknown>, own: Noun) {
    this.actor = own.actor
    this.isWanted = own.isWanted
    this.requireAccess = own.requireAccess
    this.finish = own.finish
  }
  ActingNoun.prototype = Object.create(methods)
  return ActingNoun as unknown as ActingClass<object>
}

/** Who calls a method on `noun`, as its events keep it; null: Punctual itself. Throws if it was not called on its noun. */
export function eventActor(noun: Noun | undefined): EventActor | null {
  if (!noun) throw new Error('a method of the store must be called on its noun, which knows who acts')
  return noun.actor ?? null
}
