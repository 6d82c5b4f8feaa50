/** Random files: all kinds of channels, policies, silences, and checks with all of their fields. */
import fc from 'fast-check'
import { FIELD_LIST } from '../../../src/core/checks/check-fields.js'
import type { Json } from '../../../src/core/config/project-config.js'
import { channelSections } from '../../../src/core/config/sections.js'
import { channelKinds } from '../../../src/integrations/channel-kinds.js'
import { checkField } from '../../../src/integrations/fields.js'
import { integrationOf } from '../../../src/integrations/index.js'

const kinds = channelKinds()

export const channels = channelSections(kinds)

const text = fc.string({ maxLength: 20 }).map(given => `a${given.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')}$\{A}z`)

/** Values that fields of channels take; each field takes some of them. */
const SAMPLES = [
  'secret-123456',
  'https://user:pa55word@example.org/hook',
  'https://discord.com/api/webhooks/1/abc',
  'alice@example.org',
  '+37120000001',
  '#ops',
  '12',
  'true',
  'a'.repeat(30),
  'a'.repeat(32),
  '!room:example.org',
]

const channel = fc.constantFrom(...kinds.map(({ kind }) => kind)).chain(kind => {
  const { fields } = kinds.find(one => one.kind === kind)!
  return fc.record({ start: fc.nat(20), some: fc.boolean(), name: text }).map(({ start, some, name }) => {
    const values = fields.flatMap(
      ({ name: field, required, namesChannels, read }, index): [string, Json][] => {
        if (namesChannels) return [[field, []]]
        if (!required && some) return []
        const samples = SAMPLES.slice(start % SAMPLES.length).concat(SAMPLES)
        const fits = samples.find(sample => 'value' in read(sample)) ?? null
        return fits === null || (!required && index % 2 === start % 2) ? [] : [[field, fits]]
      },
    )
    return { kind, name, ...Object.fromEntries(values) }
  })
})

/** Valid channels: a kind of which no sample fits a required field is left out. */
const validChannel = channel.filter(
  ({ kind, ...given }) =>
    kinds.find(one => one.kind === kind)!.fields.every(({ name, required }) => !required || name in given) &&
    (kind === 'group' || isAccepted(kind, given)),
)

/** Whether the rules about several fields of a kind leave the values as they are. */
function isAccepted(kind: string, { name: _, ...given }: Record<string, Json>): boolean {
  const integration = integrationOf(kind)!
  const settings = Object.fromEntries(Object.entries(given).map(([field, value]) => [field, String(value)]))
  const whole = Object.fromEntries(
    integration.fields.map(field => [field.name, checkField(field, settings[field.name])]),
  )
  try {
    const checked = integration.check?.(whole) ?? whole
    return JSON.stringify(checked) === JSON.stringify(whole)
  } catch {
    return false
  }
}

const simple: Record<string, fc.Arbitrary<Json>> = {
  name: text,
  tags: fc.subarray(['db', 'web', 'nightly']),
  desc: text,
  grace: fc.constantFrom('1h', '90 min', 600),
  timezone: fc.constantFrom('Europe/Riga', 'UTC', 'Asia/Kolkata'),
  start_within: fc.constantFrom(null, 60, '2 h'),
  max_duration: fc.constantFrom(null, 5000, '4h'),
  min_duration: fc.constantFrom(null, 1, 60),
  track_runs: fc.constantFrom('latest', 'each'),
  failures_to_alert: fc.integer({ min: 1, max: 100 }),
  failure_window: fc.constantFrom(null, 1, 100),
  tolerated: fc.subarray(['failed', 'missed', 'overrun'], { minLength: 1 }),
  successes_to_recover: fc.integer({ min: 1, max: 100 }),
  success_exit_codes: fc.constantFrom('0', '0,3,100-110', 0),
  early: fc.constantFrom(0, '60 s'),
  methods: fc.constantFrom('', 'POST'),
  filter_subject: fc.boolean(),
  filter_body: fc.boolean(),
  filter_http_body: fc.boolean(),
  start_kw: text,
  success_kw: text,
  failure_kw: text,
  filter_default_fail: fc.boolean(),
  manual_resume: fc.boolean(),
  depends_wait: fc.constantFrom(0, 300, '1 h'),
  slug: fc.constantFrom('', 'other'),
}

/** Kinds of channels of which no sample fits a required field. */
export const UNTRIED_KINDS = kinds
  .filter(
    ({ fields }) =>
      !fields.every(
        field =>
          !field.required || field.namesChannels || SAMPLES.some(sample => 'value' in field.read(sample)),
      ),
  )
  .map(({ kind }) => kind)

/** Fields of the table that the test has no values for. */
export const UNTRIED = FIELD_LIST.filter(({ native, api, column }) => {
  const key = native ?? api ?? column
  return native !== null && !['period', 'schedule', 'tz'].includes(key) && !(key in simple)
}).map(({ name }) => name)

const schedule = fc.constantFrom<Record<string, Json>>(
  {},
  { period: '2 h' },
  { period: 60 },
  { cron: '15 3 * * *' },
  { oncalendar: 'Mon..Fri 09:00' },
)

const check = fc
  .tuple(fc.record(simple, { requiredKeys: [] }), schedule)
  .map(parts => ({ ...parts[0], ...parts[1] }))

const key = fc.constantFrom('a', 'b', 'c-1', 'c_1', '__proto__', '9', 'ops')

const dictionary = <T extends Json>(value: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 5 })

export const randomDocument: fc.Arbitrary<Json> = fc
  .tuple(
    dictionary(validChannel as fc.Arbitrary<Json>),
    dictionary(check as fc.Arbitrary<Json>),
    fc.nat(1_000),
  )
  .map(([channelList, checkList, seed]) => {
    const names = channelList.map(([name]) => name)
    // A silence names the members of a group.
    const single = channelList.flatMap(([name, value]) =>
      (value as { kind: string }).kind === 'group' ? [] : [name],
    )
    const keys = checkList.map(([name]) => name)
    const some = (list: string[], shift: number) => list.filter((_, index) => (seed >> (index + shift)) & 1)
    const steps = [{ after: 0, channels: 'check' }]
    const later = some(names, 2).length > 0 ? [{ after: '30 min', channels: some(names, 2) }] : []
    const policies =
      seed % 3 === 0
        ? []
        : [
            [
              'on-call',
              {
                default: seed % 2 === 0,
                steps: [...steps, ...later],
                repeat: seed % 5 === 0 ? null : { every: '1 h', times: 3 },
              },
            ],
          ]
    const linked = checkList.map(([name, value], index) => [
      name,
      {
        ...(value as object),
        channels: some(names, index),
        depends_on: some(keys.slice(0, index), 1),
        policy: policies.length > 0 && seed % 2 === 1 ? 'on-call' : null,
      },
    ])
    const scope = some(keys, 0).length > 0 ? { checks: some(keys, 0) } : { tags: ['db'] }
    const when =
      seed % 2 === 0
        ? { from: '2026-01-02T03:00:00Z', to: '2026-01-02T06:00+02:00' }
        : { cron: '0 2 * * 0', duration: '2 h', timezone: 'Europe/Riga', from: '2026-01-02T03:00:00Z' }
    const silences =
      seed % 7 === 0
        ? []
        : [
            [
              'window',
              {
                mode: 'expect_nothing',
                scope,
                when,
                reason: 'Backup $5',
                ...(single.length > 0 && seed % 11 > 5 ? { channels: single } : {}),
              },
            ],
          ]
    return {
      channels: Object.fromEntries(channelList),
      policies: Object.fromEntries(policies),
      checks: Object.fromEntries(linked),
      silences: Object.fromEntries(silences),
    } as Json
  })
