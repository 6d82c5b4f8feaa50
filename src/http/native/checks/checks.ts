/** The checks of a project: listed and created. */
import { z } from 'zod'
import { type Status, tagList } from '../../../core/checks/check.js'
import type { OnPiece } from '../../../storage/json-bytes.js'
import type { NativeOperation } from '../native-operation.js'
import { type QueryParameter, readQuery, text } from '../query.js'
import { inPieces } from '../serve/in-pieces.js'
import { pageOf } from '../serve/page.js'
import { shown } from './check.js'
import { namingCheckFields, newCheck, parseNewCheck } from './check-changes.js'
import { checksAnswer, writtenCheck } from './schemas.js'

const STATUSES = ['new', 'up', 'grace', 'down', 'paused'] as const

/** By the ID of a check. */
const PAGE = { limit: 100, most: 1_000, place: z.int().min(1) }

const FILTERS = {
  status: {
    read(value: string) {
      const words = value.split(',').map(word => word.trim())
      return words.every(isStatus) ? words : undefined
    },
    wrong: `not some of ${STATUSES.join(', ')}`,
  } satisfies QueryParameter<Status[]>,
  tag: text(500),
  slug: text(100),
  name: text(100),
  search: text(200),
}

export const listChecks: NativeOperation = {
  id: 'listChecks',
  summary: 'List the checks of the project',
  description: 'In the order of their creation.',
  scope: 'checks:read',
  key: 'ro',
  query: [
    {
      name: 'status',
      description: `Only checks with this status now, or one of several with commas between them: ${STATUSES.join(', ')}.`,
      schema: z.string().optional(),
    },
    {
      name: 'tag',
      description: 'Only checks with this tag, or with all of several with spaces between them.',
      schema: z.string().max(500).optional(),
    },
    { name: 'slug', description: 'Only checks with this slug.', schema: z.string().max(100).optional() },
    {
      name: 'name',
      description: 'Only checks with exactly this name.',
      schema: z.string().max(100).optional(),
    },
    {
      name: 'search',
      description:
        'Only checks found by this text, as in the list on pages: a part of name, slug, tags or UUID, or beginnings of words; if nothing has them, parts of words.',
      schema: z.string().max(200).optional(),
    },
  ],
  listing: PAGE,
  choosesFields: true,
  responses: { 200: { description: 'The checks.', schema: checksAnswer } },
  errors: {},
  async handle(call) {
    const { deps, access, now } = call
    const { tag, ...filter } = readQuery(call.query, FILTERS)
    const tags = tag === undefined ? undefined : tagList(tag)
    const viewer = { projectId: access.projectId, access: access.kind, now }
    const place = { ...pageOf(call, PAGE), operation: call.operation, fields: call.fields }
    const list = (onPiece?: OnPiece) =>
      deps.store.checks.showNativeList(viewer, { ...filter, tags }, place, ...(onPiece ? [onPiece] : []))
    return { status: 200, body: await (call.mayStream ? inPieces(list, deps.onError) : list()) }
  },
}

export const createCheck: NativeOperation = {
  id: 'createCheck',
  summary: 'Create a check',
  description:
    'With `unique`, the oldest check that has the same values in the fields named there is changed instead (200).',
  scope: 'checks:write',
  key: 'rw',
  request: {
    json: newCheck,
    example: {
      name: 'Backup of the database',
      slug: 'backup-db',
      schedule: '0 4 * * *',
      tz: 'Europe/Riga',
      grace: 1800,
      unique: ['slug'],
    },
  },
  responses: {
    201: { description: 'The new check.', schema: writtenCheck },
    200: { description: 'A check that was known, after the change.', schema: writtenCheck },
  },
  errors: { 403: 'The account has reached its limit of checks.' },
  async handle(call) {
    const { deps, access, now } = call
    const asked = { ...parseNewCheck(call.body), now }
    const written = await namingCheckFields(deps.store.checks.create(access.projectId, asked))
    return await shown(call, written, written.created ? 201 : 200)
  },
}

function isStatus(word: string): word is Status {
  return (STATUSES as readonly string[]).includes(word)
}
