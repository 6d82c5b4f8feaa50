/** Changes of channels that many checks alert, or for which many deliveries wait. */
import type { Act } from '../act.js'
import type { Fields, Tenant } from '../tenant.js'
import { failAll } from './checks.js'

const CHANNELS = '/api/punctual/v1/channels'

export const first = (t: Tenant) => t.arena.channels[0]!
export const enable = (t: Tenant, enabled: boolean) =>
  t.form(`/integrations/${first(t)}/enabled/`, [['enabled', String(enabled)]])
const assign = (t: Tenant, checks: readonly string[]) =>
  t.api('PUT', `${CHANNELS}/${first(t)}/checks`, { checks })
const webhook = (url: string) => ({
  url_down: url,
  method_down: 'GET',
  url_up: '',
})

export const channelActs: readonly Act[] = [
  { name: 'delete a channel of 10,000 checks', arena: 'many', act: remove },
  { name: 'delete a channel of 10,000 checks and 100,000 notifications', arena: 'notified', act: remove },
  {
    name: 'delete a channel for which 10,000 deliveries wait',
    arena: 'hanging',
    prepare: failAll,
    act: remove,
  },
  { name: 'disable a channel of 10,000 checks', arena: 'many', act: t => enable(t, false) },
  {
    name: 'disable a channel for which 10,000 deliveries wait',
    arena: 'hanging',
    prepare: failAll,
    act: t => enable(t, false),
  },
  {
    name: 'enable a channel after 10,000 checks went down',
    arena: 'hanging',
    async prepare(t) {
      await enable(t, false)
      await failAll(t)
    },
    act: t => enable(t, true),
    afterMs: 10_000,
  },
  {
    name: 'enable a channel for which 10,000 deliveries waited',
    arena: 'hanging',
    async prepare(t) {
      await failAll(t)
      await enable(t, false)
    },
    act: t => enable(t, true),
    afterMs: 10_000,
  },
  {
    name: 'change the URL of a channel for which 10,000 deliveries wait',
    arena: 'hanging',
    prepare: failAll,
    act: t => t.api('PATCH', `${CHANNELS}/${first(t)}`, { settings: webhook('http://127.0.0.1:9/other') }),
  },
  { name: 'assign a channel to 10,000 checks', arena: 'unlinked', act: t => assign(t, t.checks) },
  { name: 'assign a channel to none of 10,000 checks', arena: 'many', act: t => assign(t, []) },
  {
    name: 'assign a channel to none of 10,000 checks that are down',
    arena: 'hanging',
    prepare: failAll,
    act: t => assign(t, []),
  },
  {
    name: 'assign a channel to 10,000 checks that are down',
    arena: 'unlinked',
    prepare: failAll,
    act: t => assign(t, t.checks),
  },
  {
    name: 'add a channel to 10,000 checks on its page',
    arena: 'many',
    act: t =>
      t.form(`/projects/${t.project}/integrations/add/webhook/`, [
        ['channel_name', 'New'],
        ...Object.entries(webhook('http://127.0.0.1:9/new')).map(pair => pair as [string, string]),
      ] satisfies Fields),
  },
  {
    name: 'create a group of 499 channels',
    arena: 'unlinked',
    act: t => group(t, t.arena.channels),
  },
  {
    name: 'take 498 of 499 channels from a group of 10,000 checks',
    arena: 'unlinked',
    async prepare(t) {
      const { uuid } = JSON.parse(await group(t, t.arena.channels)) as { uuid: string }
      await t.api('PUT', `${CHANNELS}/${uuid}/checks`, { checks: t.checks })
      groupUuid = uuid
    },
    act: t => t.api('PATCH', `${CHANNELS}/${groupUuid}`, { settings: { members: first(t) } }),
  },
  {
    name: 'take 498 of 499 channels from a group of 10,000 checks, 200 of which are down',
    arena: 'unlinked',
    async prepare(t) {
      const { uuid } = JSON.parse(await group(t, t.arena.channels)) as { uuid: string }
      await t.api('PUT', `${CHANNELS}/${uuid}/checks`, { checks: t.checks })
      await t.ping(t.checks.slice(0, 200).map(uuid => `/ping/${uuid}/fail`))
      groupUuid = uuid
    },
    act: t => t.api('PATCH', `${CHANNELS}/${groupUuid}`, { settings: { members: first(t) } }),
  },
  {
    name: 'add 498 channels to a group of 10,000 checks, 1,000 of which are down',
    arena: 'unlinked',
    async prepare(t) {
      const { uuid } = JSON.parse(await group(t, [first(t)])) as { uuid: string }
      await t.api('PUT', `${CHANNELS}/${uuid}/checks`, { checks: t.checks })
      await t.ping(t.checks.slice(0, 1_000).map(uuid => `/ping/${uuid}/fail`))
      groupUuid = uuid
    },
    act: t =>
      t.api('PATCH', `${CHANNELS}/${groupUuid}`, { settings: { members: t.arena.channels.join(',') } }),
    afterMs: 10_000,
  },
  {
    name: 'delete a group of 499 channels with 10,000 checks',
    arena: 'unlinked',
    async prepare(t) {
      const { uuid } = JSON.parse(await group(t, t.arena.channels)) as { uuid: string }
      await t.api('PUT', `${CHANNELS}/${uuid}/checks`, { checks: t.checks })
      groupUuid = uuid
    },
    act: t => t.api('DELETE', `${CHANNELS}/${groupUuid}`),
  },
]

let groupUuid: string

function remove(t: Tenant) {
  return t.form(`/integrations/${first(t)}/remove/`, [])
}

function group(t: Tenant, members: readonly string[]): Promise<string> {
  return t.api('POST', CHANNELS, { kind: 'group', name: 'All', settings: { members: members.join(',') } })
}
