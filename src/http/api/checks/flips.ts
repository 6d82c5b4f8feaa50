import { z } from 'zod'
import { Refusal } from '../../../core/errors.js'
import type { FlipRange } from '../../../storage/checks/flip-log.js'
import type { Call, Operation } from '../operation.js'
import { anyKey, notAllowed, oneCheck } from '../refusals.js'
import { flipSchema } from '../schemas.js'
import { refOf } from './show.js'

const LAST_INSTANT = 10_000_000_000
const LONGEST = 31_536_000

export const listFlips: Operation = {
  id: 'listFlips',
  summary: 'List the status changes of a check',
  description:
    'Changes to up and down, newest first. Versions 1 and 2 answer with `{"flips": [...]}`, and so does this one where the project or `WRAP_FLIPS` says so.',
  key: 'ro',
  query: [
    {
      name: 'seconds',
      description: 'Only changes of the last so many seconds; 0 for all.',
      schema: z.int().min(0).max(LONGEST).optional(),
    },
    {
      name: 'start',
      description: 'Only changes at this UNIX time or later.',
      schema: z.int().min(0).max(LAST_INSTANT).optional(),
    },
    {
      name: 'end',
      description: 'Only changes before this UNIX time.',
      schema: z.int().min(0).max(LAST_INSTANT).optional(),
    },
  ],
  responses: { 200: { description: 'The changes.', schema: () => z.array(flipSchema()) } },
  errors: { ...notAllowed, ...anyKey, ...oneCheck },
  async handle(call) {
    const { deps, access, version } = call
    const reader = { version, wrapByDefault: deps.config.WRAP_FLIPS }
    const asked = rangeOf(call)
    if (asked instanceof Refusal) {
      // A missing check, or one of another project, is reported before errors in the request.
      await deps.store.checks.showFlips(access.projectId, refOf(call), { from: 0, until: 0 }, reader)
      throw asked
    }
    return {
      status: 200,
      body: await deps.store.checks.showFlips(access.projectId, refOf(call), asked, reader),
    }
  },
}

function rangeOf({ query, now }: Call): FlipRange | Refusal {
  const start = wholeNumber(query, 'start', LAST_INSTANT)
  const end = wholeNumber(query, 'end', LAST_INSTANT)
  const seconds =
    query.getAll('seconds').at(-1)?.trim() === '' ? null : wholeNumber(query, 'seconds', LONGEST)
  for (const value of [start, end, seconds]) if (value instanceof Refusal) return value
  const from = start === null ? null : (start as number) * 1000
  const since = seconds ? now - (seconds as number) * 1000 : null
  return {
    from: from === null || since === null ? (from ?? since) : Math.max(from, since),
    until: end === null ? null : (end as number) * 1000,
  }
}

/** The last value of a parameter as a number; null if it is missing. Surrounding blanks are ignored. */
function wholeNumber(query: URLSearchParams, name: string, most: number): number | null | Refusal {
  const text = query.getAll(name).at(-1)
  if (text === undefined) return null
  const value = /^\s*\+?\d+\s*$/.test(text) ? Number(text) : Number.NaN
  return value >= 0 && value <= most
    ? value
    : new Refusal('invalid', `${name} is not a whole number from 0 to ${most}`)
}
