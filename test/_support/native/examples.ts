/** The examples of the reference of Punctual's own API, and a world in which each of them can be carried out once. */
import assert from 'node:assert/strict'
import type { ApiDocument, DocumentedOperation } from '../../../src/core/api-document.js'
import { EXAMPLE } from '../../../src/http/native/example-names.js'
import { NATIVE_PREFIX } from '../../../src/http/native/native-routes.js'
import { curlExample } from '../../../src/views/pages/instance/curl-example.js'
import { openWebWorld } from '../worlds/web-world.js'

export const world = await openWebWorld({ mailer: { async send() {} } })
const { alice, bob, mike, project, store, clock } = world
export const document: ApiDocument = (await world.get(`${NATIVE_PREFIX}/openapi.json`)).json
/** Tokens with which the commands are sent. */
export const tokens = {
  alice: (await world.token({ userId: alice.id })).token,
  bob: (await world.token({ userId: bob.id })).token,
}

async function make(path: string, body: object = {}) {
  const reply = await world.send('POST', `${NATIVE_PREFIX}${path}`, { key: tokens.alice, body })
  assert.ok(reply.status < 300, `${path}: ${reply.text}`)
  return reply.json
}
const inProject = (path: string, body?: object) => make(`${path}?project=${project.uuid}`, body)
const newCheck = async (fields: object = {}) => (await inProject('/checks', fields)).uuid as string

/** A project of Alice's with Bob as a member. */
async function projectWithBob(name: string): Promise<string> {
  const { id, uuid } = await world.projectOf(alice, name)
  await store.projects.putMember({ projectId: id, userId: bob.id, role: 'member', now: clock.now() })
  return uuid
}

const check = await newCheck({ tags: ['db'], schedule: '0 4 * * *', tz: 'Europe/Riga' })
await world.ping({ uuid: check }, '/fail', { method: 'POST', body: 'No space left' })
const incident: number = (await store.incidents.openIncident(check))!
const silence = await inProject('/silences', {
  scope: { project: true },
  when: { to: '2026-02-01T00:00:00Z' },
})
const policy = await inProject('/policies', { name: 'Nights', steps: [{ after: 0, channels: 'check' }] })
const receiver = 'http://127.0.0.1:1'
const webhook = { kind: 'webhook', name: 'Chat', settings: { url_down: receiver } }
const [channel, spareChannel] = [await inProject('/channels', webhook), await inProject('/channels', webhook)]
const unconfirmed = await inProject('/channels', {
  kind: 'email',
  settings: { value: 'other@example.org', down: 'true', up: 'true' },
})
const eventWebhook = await inProject('/event-webhooks', { name: 'Log', url: receiver })
const token = await inProject('/tokens', { name: 'Old', scopes: ['checks:read'], expires_at: null })
const ownToken = await world.token({ userId: alice.id })
const invitation = await inProject('/invitations', { role: 'member' })
const key = await inProject('/keys', { kind: 'ro' })
const other = await world.projectOf(alice, 'Other')
const offered = await projectWithBob('Offered')
await make(`/projects/${offered}/transfer`, { member: bob.uuid })

type Variables = Record<string, string>

/** What the variables of commands stand for, by the first part of the path. */
const SUBJECTS: Record<string, Variables> = {
  checks: { UUID: check, N: '1' },
  silences: { ID: silence.id },
  policies: { ID: policy.id },
  incidents: { ID: String(incident) },
  projects: { UUID: project.uuid },
  keys: { HINT: key.hint },
  tokens: { UUID: token.uuid },
  members: { UUID: mike.uuid },
  invitations: { UUID: invitation.uuid },
  me: { UUID: ownToken.uuid },
  channels: { UUID: channel.uuid },
  'event-webhooks': { UUID: eventWebhook.uuid },
}

const resting = await newCheck()

/** The same for operations that need something in another state, or end what others need. */
const OTHER_SUBJECTS: Record<string, Variables> = {
  pauseCheck: { UUID: resting },
  resumeCheck: { UUID: resting },
  deleteCheck: { UUID: await newCheck() },
  moveCheck: { UUID: await newCheck() },
  clearCheck: { UUID: await newCheck() },
  deleteChannel: { UUID: spareChannel.uuid },
  requestChannelConfirmation: { UUID: unconfirmed.uuid },
  deleteProject: { UUID: (await world.projectOf(alice, 'Spare')).uuid, NAME: 'Spare' },
  acceptProject: { UUID: offered, TOKEN: tokens.bob },
  leaveProject: { UUID: await projectWithBob('Left'), TOKEN: tokens.bob },
}

/** What the names in examples stand for. */
const NAMED: Variables = {
  [EXAMPLE.check]: check,
  [EXAMPLE.channel]: channel.uuid,
  [EXAMPLE.project]: other.uuid,
  [EXAMPLE.member]: bob.uuid,
  [EXAMPLE.receiver]: receiver,
  '"incidents": [\n    1\n  ]': `"incidents": [${incident}]`,
}

/** An operation of the reference. */
export interface Shown {
  path: string
  method: string
  operation: DocumentedOperation
}

/** All operations, those that end what others need last. */
export const operations: Shown[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)
const READS_FIRST = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
operations.sort((one, two) => READS_FIRST.indexOf(one.method) - READS_FIRST.indexOf(two.method))

const COMMAND =
  /^curl (?:-X (?<method>[A-Z]+) )?"(?<url>[^"]+)" \\\n {2}--header "Authorization: Bearer (?<token>[^"]+)"(?: \\\n {2}--data '(?<body>[^']+)')?$/

/** The request that a command sends. */
export function requestOf({ path, method, operation }: Shown) {
  const command = curlExample(world.root + NATIVE_PREFIX + path, method, operation)
  const variables: Variables = {
    TOKEN: tokens.alice,
    PROJECT: project.uuid,
    ...SUBJECTS[path.split(/[/:]/)[1]!],
    ...OTHER_SUBJECTS[operation.operationId],
  }
  let filled = command.replace(/\$([A-Z]+)/g, (name, word: string) => {
    assert.ok(variables[word], `nothing stands for ${name} of ${operation.operationId}`)
    return variables[word]
  })
  for (const [example, name] of Object.entries(NAMED)) filled = filled.replaceAll(example, name)
  const parts = COMMAND.exec(filled)?.groups
  assert.ok(parts, `not such a command: ${filled}`)
  return parts
}
