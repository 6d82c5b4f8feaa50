/** Values for requests to Punctual's own API, made from the schemas of its document: valid, nearly valid, and rubbish. */
import fc from 'fast-check'
import type { JsonSchema } from '../../../../src/core/api-document.js'

export const NOUNS = [
  'checks',
  'channels',
  'members',
  'projects',
  'tokens',
  'invitations',
  'event-webhooks',
] as const
export const NUMBERED = ['silences', 'policies', 'incidents'] as const

export type Noun = (typeof NOUNS)[number] | (typeof NUMBERED)[number] | 'unique_keys' | 'keys' | 'me'

/** Stands for something that exists when the request is sent. `at`: which one; `of`: on which side. */
export class Named {
  constructor(
    readonly noun: Noun,
    readonly at: number,
    readonly of: 'own' | 'foreign' | 'nobody',
  ) {}
}

/** An instant so many seconds from the time of the request. */
export class FromNow {
  constructor(readonly seconds: number) {}
}

/** Stands for a text that nobody else may see. */
export class Marked {}

export function named(noun: Noun): fc.Arbitrary<Named> {
  const of = fc.oneof(
    { weight: 8, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('nobody' as const) },
  )
  return fc.tuple(fc.nat(20), of).map(([at, side]) => new Named(noun, at, side))
}

const WRONG = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'a\0b',
  '\ud800',
  '💾'.repeat(60),
  'x'.repeat(5_000),
  -1,
  0,
  1.5,
  59,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  [],
  {},
  [[]],
  { a: 1 },
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '__proto__',
)

/** What suits a member beyond its schema. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  schedule: fc.constantFrom('*/5 * * * *', '0 4 * * 1-5', '*-*-* 03:00', '30 2 29 2 *'),
  cron: fc.constantFrom('0 4 * * *', '*/30 * * * *'),
  oncalendar: fc.constantFrom('daily', 'Mon *-*-* 03:00'),
  tz: fc.constantFrom('Europe/Riga', 'UTC', 'America/New_York'),
  timezone: fc.constantFrom('Europe/Riga', 'UTC'),
  kind: fc.constantFrom('webhook', 'email', 'rw', 'ro', 'ping', 'slack', 'group', 'telegram', 'shell'),
  settings: fc.oneof(
    fc.constant({ url_down: 'http://127.0.0.1:1/down' }),
    fc.constant({ value: 'someone@example.org', down: 'true', up: 'true' }),
    fc.constant({ url_down: 'http://127.0.0.1:1/', body_down: '$NAME' }),
    named('channels').map(channel => ({ value: channel })),
  ),
  email: fc.constantFrom('new@example.org', 'nobody', null),
  success_exit_codes: fc.constantFrom('0', '0,3', '0-9', 'x'),
  depends_on: fc.array(named('checks'), { maxLength: 2 }),
  checks: fc.array(named('checks'), { minLength: 1, maxLength: 3 }),
  channels: fc.array(named('channels'), { minLength: 1, maxLength: 3 }),
  incidents: fc.array(named('incidents'), { minLength: 1, maxLength: 3 }),
  policy: fc.oneof(named('policies'), fc.constant(null), fc.constant('On call')),
  project: named('projects'),
  member: named('members'),
  to: fc.constantFrom(60, 3_600, 86_400, 400 * 86_400).map(seconds => new FromNow(seconds)),
  from: fc.constantFrom(-60, 60, 3_600).map(seconds => new FromNow(seconds)),
  expires_at: fc.constantFrom(60, 86_400, 40_000_000).map(seconds => new FromNow(seconds)),
  slug: fc.constantFrom('one', 'two', 'a-b_c'),
  url: fc.constantFrom('http://127.0.0.1:1/events', 'https://127.0.0.1:1/'),
}

/** Objects whose members have to fit each other, which they seldom do by chance. By the name of the schema. */
const BY_SCHEMA: Record<string, fc.Arbitrary<unknown>> = {
  NewChannel: fc
    .constantFrom(
      { kind: 'webhook', settings: { url_down: 'http://127.0.0.1:1/down' } },
      { kind: 'webhook', settings: { url_up: 'http://127.0.0.1:1/', body_up: '$NAME' } },
      { kind: 'email', settings: { value: 'someone@example.org', down: 'true', up: 'true' } },
    )
    .map(channel => ({ ...channel, name: new Marked() })),
}

type Schemas = Record<string, JsonSchema>
type Any = JsonSchema & { oneOf?: JsonSchema[]; minItems?: number; maxItems?: number }

/** A value that a schema allows. `name`: the member whose value it is. */
export function valid(schema: Any, named_: Schemas, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const reference = schema.$ref.split('/').at(-1)!
    const any = valid(named_[reference]!, named_, name)
    const fitting = BY_SCHEMA[reference]
    return fitting ? fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: any }) : any
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  const special = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  const bySchema = () => plain(schema, named_, name)
  // `project` is a flag in the scope of a silence.
  if (!special || schema.type === 'boolean') return bySchema()
  if (name === 'kind' && schema.enum) return bySchema()
  return fc.oneof({ weight: 4, arbitrary: special }, { weight: 1, arbitrary: bySchema() })
}

function plain(schema: Any, schemas: Schemas, name: string): fc.Arbitrary<unknown> {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map(one => valid(one, schemas, name)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 700_000 } = schema
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
    }
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema
      return fc.array(valid(schema.items ?? {}, schemas), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      })
    }
    case 'object':
      return object(schema, schemas)
    default:
      return fc.constant(null)
  }
}

function text({ format, pattern, maxLength = 60, minLength = 0 }: Any): fc.Arbitrary<unknown> {
  if (format === 'uuid') return named('checks')
  if (format === 'date-time') return BY_NAME.to!
  if (pattern) return fc.constantFrom('one', 'two', 'three')
  const words = fc.constantFrom<unknown>('Backup', 'a b', 'Łódź ☃', '<b>&"\'', 'On call')
  const any = fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, 30)),
    unit: 'grapheme',
  })
  return fc.oneof(words, any, fc.constant(new Marked()))
}

/** With what is required, and a few of the other members. */
function object({ properties = {}, required = [] }: Any, schemas: Schemas): fc.Arbitrary<unknown> {
  const optional = Object.keys(properties).filter(name => !required.includes(name))
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, 4) })
    .chain(more =>
      fc.record(
        Object.fromEntries(
          [...required, ...more].map(name => [name, valid(properties[name]!, schemas, name)]),
        ),
      ),
    )
}

/** A valid value of which one part is wrong. */
export function nearlyValid(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid(schema, schemas), fc.nat(1_000), WRONG)
    .map(([value, at, wrong]) => spoil(value, at, wrong))
}

function spoil(value: unknown, at: number, wrong: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return [wrong]
    return value.map((one, index) => (index === at % value.length ? spoil(one, at >> 2, wrong) : one))
  }
  if (typeof value !== 'object' || value === null || value instanceof Named || value instanceof FromNow)
    return wrong
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)]
  const members = value as Record<string, unknown>
  if (name === undefined) return { ...members, [at % 2 === 0 ? 'unknown' : 'id']: wrong }
  if (at % 7 === 0) return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))
  return { ...members, [name]: spoil(members[name], at >> 2, wrong) }
}

/** A body as it is sent, which need not be JSON. */
export const rubbish: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string(),
  fc.constantFrom('', '{', '[]', 'null', '"x"', '\ufeff{}', '{"a": NaN}', '{"a":1,"a":2}', '[[[[[[[['),
)

/** In place of a value in a path or a query. */
export const wrongWord: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1e3',
    'x',
    '\0',
    '%',
    'ÿ',
    '2147483648',
    '99999999999',
    '💾',
    'a'.repeat(300),
    "'",
    ' ',
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
)
