/** Changes of many checks: on pages, and by the API. */
import type { Act } from '../act.js'
import type { Done, Fields, Tenant } from '../tenant.js'

const ALL: Fields = [['all', '1']]
const NATIVE = '/api/punctual/v1'

export const checkActs: readonly Act[] = [
  ...undoable('pause 2,000 checks of 500 channels', 'wide', t => many(t, 'pause')),
  ...undoable('resume 2,000 checks of 500 channels', 'wide', t => many(t, 'resume'), pauseAll),
  ...undoable('tag 2,000 checks of 500 channels', 'wide', t => many(t, 'tag', [['tags', 'large']])),
  ...undoable('take a channel from 2,000 checks', 'wide', t => switched(t, 'untell')),
  ...undoable('edit: no channels for 2,000 checks of 500', 'wide', t => edit(t, channelsOf(t, 'only', 0))),
  ...undoable('edit: 500 channels for 2,000 checks', 'bare', t => edit(t, channelsOf(t, 'add', 500))),
  ...undoable('edit: schedule of 2,000 checks of 500 channels', 'wide', t => edit(t, CRON)),
  ...undoable('edit: tags of 2,000 checks of 500 channels', 'wide', t => edit(t, TAGS)),
  ...undoable('move 2,000 checks of 500 channels', 'moving', async t => {
    const done = await edit(t, [
      ['part', 'project'],
      ['project', t.arena.projects[1]],
    ])
    await watch(15)
    return done
  }),
  {
    name: 'preview an edit of 2,000 checks of 500 channels',
    arena: 'wide',
    act: t => preview(t, CRON),
  },
  ...undoable('pause 10,000 checks', 'many', t => many(t, 'pause')),
  ...undoable('resume 10,000 checks', 'many', t => many(t, 'resume'), pauseAll),
  ...undoable('tag 10,000 checks', 'many', t => many(t, 'tag', [['tags', 'large']])),
  ...undoable('give 10,000 checks a channel', 'unlinked', t => switched(t, 'tell')),
  ...undoable('take a channel from 10,000 checks', 'many', t => switched(t, 'untell')),
  {
    name: 'pause 10,000 checks that are down',
    arena: 'hanging',
    prepare: failAll,
    act: t => many(t, 'pause'),
  },
  { name: 'snooze 1,000 checks', arena: 'many', act: snooze },
  {
    name: 'snooze 1,000 checks that are down',
    arena: 'hanging',
    prepare: failAll,
    act: snooze,
  },
  {
    name: 'delete 2,000 checks of 500 channels',
    arena: 'wide',
    act: t => many(t, 'delete', [['sure', '1']]),
    afterMs: 25_000,
  },
  {
    name: 'delete 10,000 checks with 100 pings each',
    arena: 'logged',
    act: t => many(t, 'delete', [['sure', '1']]),
    afterMs: 30_000,
  },
  { name: 'batch: create 19 checks of 500 channels', arena: 'bare', act: t => batch(t, creations) },
  {
    name: 'batch: 500 channels for 19 checks',
    arena: 'bare',
    act: t => batch(t, linkings(MOST_LISTED, 500)),
  },
  { name: 'batch: no channels for 500 checks of 500', arena: 'wide', act: t => batch(t, linkings(500, 0)) },
  { name: 'batch: pause 500 checks of 500 channels', arena: 'wide', act: t => batch(t, named('pause')) },
  { name: 'batch: delete 500 checks of 500 channels', arena: 'wide', act: t => batch(t, named('delete')) },
  {
    name: 'create 64 checks of 500 channels at once by v3',
    arena: 'bare',
    act: t => atOnce(64, n => t.api('POST', '/api/v3/checks/', { name: `New ${n}`, channels: '*' })),
  },
  {
    name: 'change 64 checks to 500 channels at once by v3',
    arena: 'bare',
    act: t => atOnce(64, n => t.api('POST', `/api/v3/checks/${t.checks[n]}`, { channels: '*' })),
  },
  {
    name: 'copy 64 checks of 500 channels at once',
    arena: 'wide',
    act: t => atOnce(64, n => t.api('POST', `${NATIVE}/checks/${t.checks[n]}/copy`, {})),
  },
  {
    name: 'move a check of 500 channels to a project of 500, 64 at once',
    arena: 'moving',
    act: t =>
      atOnce(64, n =>
        t.api('POST', `${NATIVE}/checks/${t.checks[n]}/move`, { project: t.arena.projects[1] }),
      ),
  },
  {
    name: 'create the checks of a crontab of 200 jobs with 500 channels',
    arena: 'bare',
    async act(t) {
      const crontab = Array.from({ length: 200 }, (_, n) => `${n % 60} * * * * /usr/bin/job-${n}x`).join('\n')
      const fields: Fields = [
        ['crontab', crontab],
        ['format', 'user'],
        ['tz', 'UTC'],
      ]
      const { text } = await t.form(`/projects/${t.project}/checks/crontab/`, fields)
      await t.form(`/projects/${t.project}/checks/crontab/`, [
        ...fields,
        ...inputs(text).filter(([name]) => !['crontab', 'format', 'tz', 'csrf'].includes(name)),
        ['create', '1'],
      ])
    },
  },
  {
    name: 'depend on the same 10 checks: a batch of 500',
    arena: 'many',
    act: t =>
      batch(t, tenant =>
        tenant.checks
          .slice(10, 510)
          .map(uuid => ({ op: 'update', uuid, check: { depends_on: tenant.checks.slice(0, 10) } })),
      ),
  },
  {
    name: 'depend on another check: 10,000 depend on it',
    arena: 'dependants',
    prepare: t => t.ping(t.checks.map(uuid => `/ping/${uuid}/fail`)),
    act: t => t.api('PATCH', `${NATIVE}/checks/${t.checks[1]}`, { depends_on: [t.checks[2]] }),
  },
  {
    name: 'delete a check on which 10,000 depend',
    arena: 'dependants',
    prepare: t => t.ping(t.checks.map(uuid => `/ping/${uuid}/fail`)),
    act: t => t.api('DELETE', `${NATIVE}/checks/${t.checks[0]}`),
    afterMs: 15_000,
  },
  {
    name: 'clear a check on which 10,000 depend',
    arena: 'dependants',
    prepare: t => t.ping(t.checks.map(uuid => `/ping/${uuid}/fail`)),
    act: t => t.api('POST', `${NATIVE}/checks/${t.checks[0]}/clear`, {}),
    afterMs: 15_000,
  },
]

const CRON: Fields = [
  ['part', 'schedule'],
  ['kind', 'cron'],
  ['cron', '*/7 * * * *'],
]
const TAGS: Fields = [
  ['part', 'tags'],
  ['tagsWay', 'add'],
  ['tags', 'large'],
]

/** Something that can be undone, and undoing it. */
function undoable(
  name: string,
  arena: Act['arena'],
  act: (tenant: Tenant) => Promise<Done>,
  prepare?: (tenant: Tenant) => Promise<unknown>,
): Act[] {
  let done: Done
  return [
    { name, arena, act, prepare: async t => void (await prepare?.(t)) },
    {
      name: `undo: ${name}`,
      arena,
      async prepare(t) {
        await prepare?.(t)
        done = await act(t)
        // The act may have taken longer than it can be undone.
        const database = await t.database()
        await database.value('UPDATE undos SET until_at = until_at + 600000')
        await database.close()
      },
      act: t => t.undo(done),
    },
  ]
}

/** An action of the list on all checks. */
function many(t: Tenant, action: string, fields: Fields = []): Promise<Done> {
  return t.form(`/projects/${t.project}/checks/bulk/`, [...ALL, ['action', action], ...fields])
}

function switched(t: Tenant, action: 'tell' | 'untell'): Promise<Done> {
  return many(t, action, [['channel', t.arena.channels[0]!]])
}

/** As many as can be snoozed at once. */
function snooze(t: Tenant): Promise<Done> {
  const chosen = t.checks.slice(0, 1_000).map(uuid => ['check', uuid] as const)
  return t.form(`/projects/${t.project}/checks/bulk/`, [['action', 'snooze-3600'], ...chosen])
}

async function pauseAll(t: Tenant): Promise<void> {
  await many(t, 'pause')
}

export async function failAll(t: Tenant): Promise<void> {
  await t.ping(t.checks.map(uuid => `/ping/${uuid}/fail`))
}

/** The form that changes many checks: shows the change, and makes it. */
async function edit(t: Tenant, fields: Fields): Promise<Done> {
  const sent = inputs((await preview(t, fields)).text).filter(
    ([name, value]) => name === 'shown' || (name === 'check' && value.includes('.')),
  )
  return await t.form(`/projects/${t.project}/checks/bulk/edit/`, [
    ...sent,
    ...(fields.some(([name]) => name === 'kind') ? [] : [['kind', 'simple'] as const]),
    ...fields,
    ['apply', '1'],
  ])
}

function preview(t: Tenant, fields: Fields): Promise<Done> {
  return t.form(`/projects/${t.project}/checks/bulk/edit/`, [
    ...ALL,
    ...(fields.some(([name]) => name === 'kind') ? [] : [['kind', 'simple'] as const]),
    ...fields,
    ['preview', '1'],
  ])
}

/** The names and values of the inputs of a page. */
function inputs(html: string): Fields {
  return [...html.matchAll(/<input[^>]*>/g)].flatMap(([tag]) => {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1]
    const name = of('name')
    if (name === undefined || (of('type') === 'checkbox' && !/ checked/.test(tag))) return []
    return [[name, of('value') ?? 'on'] as const]
  })
}

function channelsOf(t: Tenant, way: 'add' | 'only', count: number): Fields {
  return [
    ['part', 'channels'],
    ['channelsWay', way],
    ...t.arena.channels.slice(0, count).map(uuid => ['channels', uuid] as const),
  ]
}

async function batch(t: Tenant, operations: (tenant: Tenant) => object[]): Promise<void> {
  const answer = await t.api('POST', `${NATIVE}/checks:batch`, { operations: operations(t) })
  const bad = JSON.parse(answer).results.find(({ status }: { status: number }) => status > 299)
  if (bad) throw new Error(`a batch: ${JSON.stringify(bad)}`)
}

/** As many as a body has room for, with 10,000 values at most, if each lists 500 channels. */
const MOST_LISTED = 19

const creations = (t: Tenant) =>
  Array.from({ length: MOST_LISTED }, (_, n) => ({
    op: 'create',
    check: { name: `New ${n}`, slug: `new-${n}`, channels: t.arena.channels },
  }))

const linkings = (checks: number, count: number) => (t: Tenant) =>
  t.checks
    .slice(0, checks)
    .map(uuid => ({ op: 'update', uuid, check: { channels: t.arena.channels.slice(0, count) } }))

const named = (op: string) => (t: Tenant) => t.checks.slice(0, 500).map(uuid => ({ op, uuid }))

export async function atOnce(count: number, act: (number: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => act(number)))
}

export async function watch(seconds: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, seconds * 1_000))
}
