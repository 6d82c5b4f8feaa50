import type { EventActor } from '../core/events/actor.js'
import { Changes } from '../lib/changes.js'
import { announced } from './announce.js'
import type { Db } from './db.js'
import type { WireError } from './errors.js'
import type { Noun } from './events/acting.js'
import { isAnnounced, type Kind, type Method } from './method.js'
import type { nouns } from './nouns.js'
import type { Call, Turns } from './turns.js'

type WithoutDb<F> = F extends (db: Db, ...args: infer A) => infer R ? (...args: A) => R : never

type Bound<Exports> = {
  [Name in keyof Exports as Exports[Name] extends Method ? Name : never]: WithoutDb<Exports[Name]>
}
type Nouns = { [Noun in keyof typeof nouns]: Bound<(typeof nouns)[Noun]> }

/**
 * The database, the same on both engines: its methods by noun, as in `store.checks.pause(…)`. Each method runs
 * completely: a write in a transaction of its own (or a savepoint in a shared one), a read on a consistent snapshot.
 * When the promise of a write resolves, it has been synced to disk. Throws `Refusal` for expected failures; any other
 * error is a bug or a broken disk.
 */
export type Store = Nouns & {
  /** The events of this process; the store announces its own writes here. */
  readonly changes: Changes
  /** Writes a consistent copy of the database to `file` while it is in use. Rejects if the file exists. */
  backup(file: string): Promise<void>
  /** Waits for the calls under way, then closes. */
  close(): Promise<void>
}

/** Such as `checks.pause`. */
export type MethodName = { [Noun in keyof Nouns]: `${Noun}.${keyof Nouns[Noun] & string}` }[keyof Nouns]

/** Methods of `alerts` for which alerts do not wait: what services report about messages that were sent, and what follows from large changes. */
const CAN_WAIT: ReadonlySet<MethodName> = new Set<MethodName>([
  'alerts.notifiedChannel',
  'alerts.noteDeliveryStatus',
  'alerts.nextFollowUp',
  'alerts.followUp',
])

/** Methods of other nouns that alerts wait for, or e-mails to people: some of these say which alerts are not sent. */
const ALERTS_NEED: ReadonlySet<MethodName> = new Set<MethodName>([
  'channels.isInTrouble',
  'incidents.dueIncidents',
  'incidents.ended',
  'incidents.escalate',
  'incidents.nextLook',
  'incidents.parentStates',
  'incidents.releaseDependants',
  'incidents.someDependant',
  'people.claimMails',
  'people.dueMails',
  'people.mailClaimants',
  'people.noteMailsWork',
  'people.releaseMails',
  'people.settleMail',
  'people.unsentFor',
  'pings.largeBody',
])

/** Methods that tell which pings were heard, beside those that record them. */
const PINGS_NEED: ReadonlySet<MethodName> = new Set<MethodName>([
  'instance.beat',
  'pings.lockedChecks',
  'pings.probe',
])

/** Whether pings, and so silence, wait for a method: it must not wait for what requests ask. */
export function isForPings(name: MethodName): boolean {
  return PINGS_NEED.has(name) || name === 'pings.record'
}

/** Whether alerts, or e-mails to people, are found, claimed, composed or settled by a method: it must not wait for what requests ask. */
export function isForAlerts(name: MethodName): boolean {
  return ALERTS_NEED.has(name) || (name.startsWith('alerts.') && !CAN_WAIT.has(name))
}

/**
 * Methods that may end or renew what their own caller was admitted by: the session, the token or key, the place in the project, the project.
 * What the request does after one finishes it, such as a notice of a new password, and is not refused for want of access.
 */
const CHANGES_ACCESS: ReadonlySet<MethodName> = new Set<MethodName>([
  'people.beginClosing',
  'people.closeSession',
  'people.closeSessions',
  'people.deleteUser',
  'people.handOverAccount',
  'people.proveSession',
  'people.removeIdentity',
  'people.revokeSession',
  'people.setEmail',
  'people.setPassword',
  'projects.acceptTransfer',
  'projects.endOthersAccess',
  'projects.markForDeletion',
  'projects.putMember',
  'projects.removeMember',
  'projects.revokeApiKeys',
  'projects.revokeApiToken',
  'projects.setMemberRole',
])

/** Ends the turn of a request, also of one that is refused. */
const ENDS_TURN: MethodName = 'projects.endApiRequest'

/** Whether a method is run also if its caller has lost access since the request began. */
export function finishesRequest(name: MethodName): boolean {
  return name === ENDS_TURN
}

/** The method, which notes that its caller finishes after it. */
function noting(call: Call): Call {
  return async function (this: Noun | undefined, ...args) {
    const result = await call.apply(this, args)
    this?.finish?.()
    return result
  }
}

type NounIn<Name> = Name extends `${infer Noun}.${string}` ? Noun & keyof Nouns : never
type NameIn<Name, Noun extends string> = Name extends `${Noun}.${infer Method}` ? Method : never

/** A part of the store: the methods of these names, as in `StoreWith<'checks.pause' | 'people.findUser'>`. */
export type StoreWith<Name extends MethodName> = {
  [Noun in NounIn<Name>]: Pick<Nouns[Noun], keyof Nouns[Noun] & NameIn<Name, Noun>>
}

/**
 * The store's nouns and their events. `bind` makes each method from its name, such as `checks.pause`, and its kind; it is called
 * on its noun, which knows who acts.
 */
export function byNoun(
  methods: Iterable<readonly [MethodName, Kind]>,
  bind: (name: MethodName, kind: Kind) => Call,
  turns: Turns,
): Nouns & Pick<Store, 'changes'> {
  const changes = new Changes()
  const nouns: Record<string, Record<string, unknown>> = {}
  for (const [name, kind] of methods) {
    const [noun, method] = name.split('.') as [string, string]
    const bound = bind(name, kind)
    // Creations that are asked for at once share a transaction.
    const isAlwaysAllowed = finishesRequest(name)
    const queued = name === 'checks.create' ? bound : turns.of(kind, bound, { name, isAlwaysAllowed })
    const call = CHANGES_ACCESS.has(name) ? noting(queued) : queued
    nouns[noun] ??= {}
    nouns[noun][method] = isAnnounced(kind) ? announced(call, changes) : call
  }
  return { ...(nouns as Nouns), changes }
}

/**
 * A call to a database thread. Arguments and results cross by structured clone, so they contain no
 * functions and no class instances. Only the last argument may be a function, which takes pieces of the result (`OnPiece`): then
 * `inPieces` is set, and each call of it is a message.
 */
export interface Message {
  id: number
  /** Such as `checks.pause`. */
  method: string
  args: unknown[]
  /** Who calls a method that writes; null: Punctual itself. */
  actor: EventActor | null
  inPieces: boolean
}

/** A part of the result of a call, sent before its reply. */
export interface Piece {
  id: number
  piece: Uint8Array
}

/** The result of a call. `ms`: how long it took, without its commit. */
export type Reply = { id: number; ms: number } & Outcome

export type Outcome = { value: unknown } | { error: WireError }
