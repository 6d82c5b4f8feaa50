/** What API tokens may do. A token needs the scope of an operation, and its owner or project the role. */
import { may, type Need, type Role } from './role.js'

interface Scope {
  /** The role that a person needs for it. */
  need: Need
  /** What it allows, as pages say it. */
  can: string
}

/** Every scope, in the order of pages. */
export const SCOPES = {
  'checks:read': {
    need: 'read',
    can: 'See checks with their settings and status, incidents, silences, policies, and the names of integrations. With a scope that writes, also ping URLs, with which anyone can send pings.',
  },
  'checks:write': { need: 'write', can: 'Create, change, pause, resume and delete checks.' },
  'pings:read': { need: 'read', can: 'See the log of pings, the runs, and the output of jobs.' },
  'pings:write': { need: 'write', can: 'Send pings, and clear the log of a check.' },
  'incidents:write': {
    need: 'write',
    can: 'Acknowledge incidents, add notes to them, and create, change and end silences.',
  },
  'channels:write': {
    need: 'write',
    can: 'See the settings of integrations without secrets, and create, change, test and delete integrations. A new webhook can be sent the output of jobs.',
  },
  'config:write': {
    need: 'write',
    can: 'Create, change and delete projects and policies, change the settings of its person, revoke keys and tokens, and create those that may do no more than this one. With log:read, also event webhooks.',
  },
  'log:read': { need: 'read', can: 'See who changed what, and the stream of events.' },
  'members:write': {
    need: 'manage',
    can: 'See, invite and remove members, change their roles, and hand over and leave projects.',
  },
} as const satisfies Record<string, Scope>

export type ScopeName = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as ScopeName[]

/** The scopes in a text or a list, in the order of the table; unknown ones are left out. */
export function scopesIn(words: Iterable<string>): ScopeName[] {
  const given = new Set(words)
  return SCOPE_NAMES.filter(name => given.has(name))
}

/** The scopes that a person with this role may give: a token may do no more than who makes it. */
export function scopesOf(role: Role): ScopeName[] {
  return SCOPE_NAMES.filter(scope => may(role, SCOPES[scope].need))
}

/** The scopes that take a manager: a token with one of them lets people in. */
export const MANAGING_SCOPES = SCOPE_NAMES.filter(scope => SCOPES[scope].need === 'manage')

/** What the keys of a project can do, as scopes. */
export const KEY_SCOPES = {
  rw: ['checks:read', 'checks:write', 'pings:read', 'incidents:write', 'config:write', 'log:read'],
  ro: ['checks:read', 'pings:read'],
  ping: ['checks:write', 'pings:write'],
} as const satisfies Record<string, readonly ScopeName[]>

/** Whether one of the scopes allows a change. */
export function mayChange(scopes: readonly ScopeName[]): boolean {
  return scopes.some(scope => scope.endsWith(':write'))
}
