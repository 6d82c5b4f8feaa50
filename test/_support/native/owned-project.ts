/** A project with an owner and members, and how operations that only tokens may use give each answer. */
import { newPingKey } from '../../../src/lib/secrets/secrets.js'
import type { World } from '../worlds/world.js'

/** What differs from the usual request. */
export interface AskedOfOwned {
  uuid?: string
  hint?: string
  key?: string
  query?: string
  body?: unknown
}

/** At a server that does not answer. */
const ROOM = { room_id: '#room:example.org' }

const MATRIX = { kind: 'matrix', ...ROOM }

/** The operator's settings for kinds of channels. */
export const OPERATOR = {
  TELEGRAM_TOKEN: 'token',
  TELEGRAM_BOT_NAME: 'bot',
  MATRIX_HOMESERVER: 'http://127.0.0.1:1',
  MATRIX_ACCESS_TOKEN: 'token',
}

const PREFIX = '/api/punctual/v1'

const WEBHOOK = { name: 'Ops', url: 'http://127.0.0.1:1/' }

/** Opens it. `failMail`: makes every e-mail fail from then on. */
export async function openOwnedProject(world: World, failMail: () => void) {
  const { store, clock } = world
  const person = async (name: string) =>
    await store.people.createUser({
      email: `${name}@example.org`,
      passwordHash: null,
      emailProven: true,
      now: clock.now(),
    })
  const [owner, member] = [await person('owner'), await person('member')]
  const newProject = async () => {
    const fields = { name: 'Owned', ownerId: owner.id, pingKey: newPingKey(), now: clock.now() }
    const project = await store.projects.create(fields)
    const role = { projectId: project.id, userId: member.id, role: 'member', now: clock.now() } as const
    await store.projects.putMember(role)
    return project
  }
  const project = await newProject()
  const { token } = await world.token({ userId: owner.id })
  const ofMember = await world.token({ userId: member.id })
  const spare = await world.token({ userId: owner.id })
  const ofProject = { projectId: project.id, role: 'manager' as const }
  const projectToken = await world.token(ofProject)
  const inProject = `?project=${project.uuid}`
  const send = async (path: string, body: object) =>
    await world.send('POST', `${PREFIX}${path}`, { key: token, body })
  const invite = async () => (await send(`/invitations${inProject}`, { role: 'member' })).json.uuid as string
  const invitation = await invite()
  const offer = { member: member.uuid }

  const newChannel = async (kind: string, settings: Record<string, string>) => {
    const fields = { projectId: project.id, name: '', kind, settings, members: [] }
    return (await store.channels.create({ ...fields, now: clock.now() })).uuid
  }
  const newEmail = () => newChannel('email', { value: 'owner@example.org', down: 'true', up: 'true' })
  const channel = await newEmail()
  const newUnconfirmed = async () => {
    const email = { kind: 'email', settings: { value: 'other@example.org' }, confirmed: false }
    const fields = { ...email, projectId: project.id, name: '', members: [] }
    return (await store.channels.create({ ...fields, now: clock.now() })).uuid
  }

  const newWebhook = async (): Promise<string> =>
    (await send(`/event-webhooks${inProject}`, WEBHOOK)).json.uuid
  const eventWebhook = await newWebhook()

  const causes: Record<string, () => Promise<AskedOfOwned>> = {
    'delete /projects/{uuid} 200': async () => ({ uuid: (await newProject()).uuid, query: '?name=Owned' }),
    'post /projects/{uuid}/transfer 503': async () => {
      failMail()
      return {}
    },
    'post /projects/{uuid}/transfer/accept 200': async () => {
      const { uuid } = await newProject()
      await send(`/projects/${uuid}/transfer`, offer)
      return { uuid, key: ofMember.token }
    },
    'post /projects/{uuid}/leave 200': async () => ({ uuid: (await newProject()).uuid, key: ofMember.token }),
    'post /projects/{uuid}/leave 409': async () => ({}),
    'post /keys 409': async () => ({ body: { kind: 'ping' } }),
    'delete /keys/{hint} 404': async () => ({ hint: 'none' }),
    'delete /tokens/{uuid} 200': async () => ({ uuid: (await world.token(ofProject)).uuid }),
    'delete /members/{uuid} 400': async () => ({ uuid: owner.uuid }),
    'delete /members/{uuid} 200': async () => {
      const { id: userId, uuid } = await person('leaving')
      const now = clock.now()
      await store.projects.putMember({ projectId: project.id, userId, role: 'member', now })
      return { uuid }
    },
    'post /invitations 503': async () => {
      failMail()
      return { body: { role: 'member', email: 'new@example.org' } }
    },
    'delete /invitations/{uuid} 200': async () => ({ uuid: await invite() }),
    'post /channels 202': async () => ({ body: { kind: 'telegram' } }),
    'post /channels 503': async () => ({ body: { kind: 'matrix', settings: ROOM } }),
    'patch /channels/{uuid} 503': async () => ({
      uuid: await newChannel('matrix', ROOM),
      body: { settings: { room_id: '#other:example.org' } },
    }),
    'post /channels:test 503': async () => ({ body: { kind: 'matrix', settings: ROOM } }),
    'post /channels/{uuid}/confirmation 200': async () => ({ uuid: await newUnconfirmed() }),
    'post /channels/{uuid}/confirmation 409': async () => ({}),
    'post /channels/{uuid}/confirmation 503': async () => {
      failMail()
      return { uuid: await newUnconfirmed() }
    },
    'delete /channels/{uuid} 200': async () => ({ uuid: await newEmail() }),
    'post /config:apply 409': async () => ({ body: { document: {}, fingerprint: 'other' } }),
    'post /config:apply 503': async () => ({ body: { document: { channels: { room: MATRIX } } } }),
    'delete /event-webhooks/{uuid} 200': async () => ({ uuid: await newWebhook() }),
    'delete /me/tokens/{uuid} 200': async () => ({ uuid: (await world.token({ userId: owner.id })).uuid }),
  }
  return {
    uuid: project.uuid,
    token,
    inProject,
    causes,
    /** What paths name, by their first part. */
    uuids: {
      projects: project.uuid,
      tokens: projectToken.uuid,
      members: member.uuid,
      invitations: invitation,
      channels: channel,
      'event-webhooks': eventWebhook,
      me: spare.uuid,
    } as Record<string, string>,
    bodies: {
      'post /channels:test': { kind: 'webhook', settings: { url_down: 'http://127.0.0.1:1/' } },
      'post /channels': { kind: 'webhook', settings: { url_down: 'https://example.org/down' } },
      'put /channels/{uuid}/checks': { checks: [] },
      'post /event-webhooks': WEBHOOK,
      'post /config:plan': { document: {} },
      'post /config:apply': { document: {} },
      'post /projects': { name: 'New' },
      'post /projects/{uuid}/transfer': offer,
      'post /keys': { kind: 'ro' },
      'post /tokens': { name: 'CI', scopes: ['checks:read'], expires_at: null },
      'patch /members/{uuid}': { role: 'member' },
      'post /invitations': { role: 'member' },
    } as Record<string, unknown>,
    /** A token of the project that lacks the scope, or is not one of a person. */
    weak: async (scope: string | null) => {
      const other = scope === 'log:read' ? 'pings:read' : 'log:read'
      return (await world.token(ofProject, { scopes: [other] })).token
    },
  }
}
