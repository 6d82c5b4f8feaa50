/** Many changes of checks in one request. */
import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import { toJson } from '../../../core/wire/json.js'
import { once } from '../../../lib/once.js'
import { EXAMPLE } from '../example-names.js'
import type { NativeCall, NativeOperation } from '../native-operation.js'
import { problemDetails } from '../problem.js'
import { problemSchema } from '../problem-schema.js'
import { parseBody } from '../request.js'
import { shown } from './check.js'
import {
  checkChanges,
  namingCheckFields,
  newCheck,
  parseCheckChanges,
  parseNewCheck,
} from './check-changes.js'
import { writtenCheck } from './schemas.js'

const MOST = 500

/** The number of changes of different checks that are asked of the store at once. */
const AT_ONCE = 32

const named = () => z.uuid({ error: 'not the UUID of a check' })
const operations = (create: () => z.ZodType, update: () => z.ZodType) =>
  z.strictObject({
    operations: z
      .array(
        z.discriminatedUnion(
          'op',
          [
            z.strictObject({ op: z.literal('create'), check: create() }),
            z.strictObject({ op: z.literal('update'), uuid: named(), check: update() }),
            z.strictObject({ op: z.literal('delete'), uuid: named() }),
            z.strictObject({ op: z.literal('pause'), uuid: named() }),
            z.strictObject({ op: z.literal('resume'), uuid: named() }),
          ],
          { error: 'op is not one of create, update, delete, pause, resume' },
        ),
        { error: 'operations is not a list' },
      )
      .min(1, { error: 'empty' })
      .max(MOST, { error: `more than ${MOST}` }),
  })

const described = once(() => operations(newCheck, checkChanges).meta({ id: 'CheckOperations' }))

/** As described, but what a check is to be is read by each operation for itself. */
const read = once(() => {
  const anything = () => z.record(z.string(), z.unknown(), { error: 'not an object' })
  return operations(anything, anything)
})

const result = once(() =>
  z
    .strictObject({
      status: z.int().meta({ description: 'The status that the operation alone would have had.' }),
      check: writtenCheck().optional().meta({ description: 'The check, unless it was deleted.' }),
      problem: problemSchema().optional().meta({ description: 'Why the operation was refused.' }),
    })
    .meta({ id: 'CheckResult' }),
)

export const batchChecks: NativeOperation = {
  id: 'batchChecks',
  summary: 'Create, change, delete, pause and resume many checks',
  description:
    `At most ${MOST} operations, carried out in their order. Each is carried out completely or not at all, ` +
    'and has an answer of its own: one that is refused does not stop the others. If the token is revoked on the way, the ' +
    'remaining ones are refused.',
  scope: 'checks:write',
  key: 'rw',
  request: {
    json: described,
    example: {
      operations: [
        { op: 'create', check: { name: 'Backup of files', slug: 'backup-files', period: 86_400 } },
        { op: 'update', uuid: EXAMPLE.check, check: { grace: 1800 } },
      ],
    },
  },
  responses: {
    200: {
      description: 'The answers, in the order of the operations.',
      schema: () => z.strictObject({ results: z.array(result()) }),
    },
  },
  errors: {},
  async handle(call) {
    const { operations } = parseBody(read(), call.body)
    const results: string[] = []
    for (const part of partsOf(operations as Operation[])) {
      // Others may have revoked the token since, or changed what it may do.
      const access = results.length === 0 ? call.access : await call.accessNow()
      const answers = part.map(one =>
        access instanceof Refusal ? refused(call, access) : resultOf({ ...call, access }, one),
      )
      results.push(...(await Promise.all(answers)))
    }
    return { status: 200, body: `{"results": [${results.join(', ')}]}` }
  },
}

type Operation =
  | { op: 'create'; check: Record<string, unknown> }
  | { op: 'update'; uuid: string; check: Record<string, unknown> }
  | { op: 'delete' | 'pause' | 'resume'; uuid: string }

/**
 * Operations that may be carried out at the same time: the store has them share transactions. Their order matters where they
 * concern the same check, or where one looks for a check that another may create.
 */
function partsOf(operations: readonly Operation[]): Operation[][] {
  const parts: Operation[][] = []
  let changed = new Set<string>()
  for (const operation of operations) {
    const last = parts.at(-1)
    if (last && mayJoin(operation, last, changed)) last.push(operation)
    else {
      parts.push([operation])
      changed = new Set()
    }
    if ('uuid' in operation) changed.add(operation.uuid)
  }
  return parts
}

function mayJoin(operation: Operation, part: readonly Operation[], changed: ReadonlySet<string>) {
  const first = part[0]!
  if (looksFor(first) || looksFor(operation)) return false
  if (operation.op === 'create') return first.op === 'create'
  return first.op !== 'create' && !changed.has(operation.uuid) && part.length < AT_ONCE
}

/** Whether an operation concerns checks that it does not name by UUID, or depends on others. */
function looksFor(operation: Operation): boolean {
  return 'check' in operation && ('unique' in operation.check || 'depends_on' in operation.check)
}

async function resultOf(call: NativeCall, operation: Operation): Promise<string> {
  try {
    const { status, check } = await carryOut(call, operation)
    return `{"status": ${status}${check === null ? '' : `, "check": ${check}`}}`
  } catch (error) {
    return refused(call, error)
  }
}

function refused({ deps }: NativeCall, error: unknown): string {
  const problem = problemDetails(error, deps.onError)
  return `{"status": ${problem.status}, "problem": ${toJson(problem)}}`
}

async function carryOut(
  call: NativeCall,
  operation: Operation,
): Promise<{ status: number; check: string | null }> {
  const { deps, access, now } = call
  const { checks } = deps.store
  if (operation.op === 'create') {
    const asked = parseNewCheck(operation.check)
    const written = await namingCheckFields(checks.create(access.projectId, { ...asked, now }))
    const isPlain = written.created && asked.policy === undefined && asked.parents === undefined
    const { status, body } = await shown(call, written, written.created ? 201 : 200, isPlain)
    return { status, check: body }
  }
  const { op, uuid } = operation
  if (op === 'delete') {
    await checks.delete(access.projectId, uuid, now)
    return { status: 200, check: null }
  }
  const written =
    op === 'update'
      ? await namingCheckFields(
          checks.update(access.projectId, uuid, { ...parseCheckChanges(operation.check), now }),
        )
      : await checks[op](access.projectId, uuid, now)
  return { status: 200, check: (await shown(call, written)).body }
}
