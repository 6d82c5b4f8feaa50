import type { EventActor } from '../../core/events/actor.js'
import type { Actor } from '../../lib/actor.js'

/** What a method of the store is called on: a noun of the store, which knows who acts if {@link actingStore} made it. */
export interface Noun {
  readonly actor?: EventActor | undefined
  /** Whether somebody waits for what its methods return; absent: yes. */
  readonly isWanted?: (() => boolean) | undefined
  /** Rejects with a refusal if who acts may not do so any more; absent: nobody can end it. See http/acting-deps.ts. */
  readonly requireAccess?: (() => Promise<void>) | undefined
  /** Called when a method has changed what its own caller was admitted by: `requireAccess` rejects no more, see `changesAccess` in ../store.ts. */
  readonly finish?: (() => void) | undefined
}

/** Looks at the access of who acts. */
export type AccessLook = { [name in 'requireAccess' | 'finish']: NonNullable<Noun[name]> }

/**
 * The same store, whose methods act for `actor`: their events say so. Without it Punctual itself acts. Its methods are called on
 * their noun, as in `store.checks.pause(…)`. Long reads are not begun once `isWanted` returns false, and neither they nor writes once
 * `requireAccess` rejects.
 */
export function actingStore<S extends object>(store: S, actor: Actor, how: Omit<Noun, 'actor'> = {}): S {
  const { isWanted, requireAccess, finish } = how
  if (actor.kind === 'system' && !isWanted && !requireAccess && !finish) return store
  const { kind, id, name, address } = actor
  const own: Noun = {
    actor: kind === 'system' ? undefined : { kind, id, name, address },
    isWanted,
    requireAccess,
    finish,
  }
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
  type Acting = Record<string, unknown> & { own: Noun; made: object[] }
  const ActingStore = function (this: Acting, own: Noun) {
    this.own = own
    this.made = []
  }
  ActingStore.prototype = Object.create(store)
  for (const [place, [name, methods]] of Object.entries(store).entries()) {
    // The events of the process are everybody's, and no noun.
    if (name === 'changes' || typeof methods !== 'object') continue
    const ActingNoun = nounClass(methods)
    Object.defineProperty(ActingStore.prototype, name, {
      get(this: Acting) {
        this.made[place] ??= new ActingNoun(this.own)
        return this.made[place]
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
