/** Steps of random runs against the API: valid, nearly valid and malformed requests, and passing time. */
import fc from 'fast-check'
import { STEPS } from './model.js'

/** What one step of a run does; `pick` chooses among the existing checks. */
export type Step =
  | { do: 'create'; owner: number; version: 1 | 2 | 3; fields: Fields; unique: ('name' | 'slug')[] }
  | { do: 'update'; pick: number; version: 1 | 2 | 3; fields: Fields }
  | {
      do: 'ping'
      pick: number
      suffix: string
      rid: string | null
      method: string
      create: boolean
      slug: boolean
    }
  | { do: 'pause' | 'resume' | 'delete'; pick: number }
  /** Sets every setting of docs/runs.md to its default. */
  | { do: 'defaults'; pick: number }
  | { do: 'wait'; seconds: number; watched: boolean }
  | { do: 'refused'; pick: number; operation: number; by: 'stranger' | 'reader' | 'nobody' | 'keyless' }
  | { do: 'invalid'; pick: number; body: unknown; create: boolean }
  | {
      do: 'junk'
      owner: number
      method: string
      path: string[]
      query: string
      body: string | null
      key: number
    }

export interface Fields {
  name?: string
  slug?: string
  timeout?: number
  grace?: number
  schedule?: string
  manual_resume?: boolean
  methods?: '' | 'POST'
}

const RIDS = ['9c5a1bd1-6c1e-4d6c-8a4e-0f2b8c3d4e5f', '00000000-0000-0000-0000-000000000000']
const pick = fc.nat(1000)
const owner = fc.constantFrom(0, 1)
const version = fc.constantFrom(1 as const, 2 as const, 3 as const)
const seconds = fc.constantFrom(60, 61, 300, 600, 3_600)
const fields: fc.Arbitrary<Fields> = fc.record(
  {
    name: fc.constantFrom('', 'job-a', 'job-b'),
    slug: fc.constantFrom('', 'one', 'two'),
    timeout: seconds,
    grace: seconds,
    schedule: fc.constantFrom(...Object.keys(STEPS)),
    manual_resume: fc.boolean(),
    methods: fc.constantFrom('' as const, 'POST' as const),
  },
  { requiredKeys: [] },
)
const WORDS = [
  '',
  'checks',
  'pings',
  'flips',
  'body',
  'pause',
  'channels',
  'badges',
  '%00',
  '%',
  '..',
  '[A-z]',
  '💾',
]
const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string(),
  fc.constantFrom('{', '\ufeff{}', '{"name": NaN}'),
)

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      owner,
      version,
      fields,
      unique: fc.subarray(['name' as const, 'slug' as const]),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), pick, version, fields }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('ping' as const),
      pick,
      suffix: fc.constantFrom('', '', '/start', '/start', '/fail', '/log', '/0', '/7'),
      rid: fc.option(fc.constantFrom(...RIDS)),
      method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
      create: fc.boolean(),
      slug: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('defaults' as const), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(0.001, 1, 59.999, 60, 300, 1_000, 3_600, 8_000),
      watched: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refused' as const),
      pick,
      operation: fc.nat(7),
      by: fc.constantFrom('stranger' as const, 'reader' as const, 'nobody' as const, 'keyless' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('invalid' as const),
      pick,
      create: fc.boolean(),
      body: fc.oneof(
        fc.constantFrom(
          { timeout: 59 },
          { grace: null },
          { slug: 'A' },
          { tz: 'Nowhere' },
          { channels: 'no,ne' },
        ),
        fc.constantFrom(
          { schedule: '* * *' },
          { name: 'a\0' },
          { unique: 1 },
          { methods: 'GET' },
          '[]',
          '{',
          '"x"',
        ),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('junk' as const),
      owner,
      method: fc.constantFrom('GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'POST', 'DELETE'),
      path: fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 5 })), { maxLength: 5 }),
      query: fc.string({ maxLength: 20 }),
      body: fc.option(json),
      key: fc.nat(3),
    }),
  },
)
