import { z } from 'zod'
import { runShape } from '../../../core/wire/run.js'
import type { NativeOperation } from '../native-operation.js'
import { oneCheck } from '../request.js'
import { pageJson, pageOf } from '../serve/page.js'
import { parsedFor, refOf } from './check.js'
import { runsAnswer } from './schemas.js'

/** By the number of a run's ping. */
const PAGE = {
  limit: 50,
  most: 200,
  place: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
}

export const listRuns: NativeOperation = {
  id: 'listRuns',
  summary: 'List the runs of a check',
  description: 'Newest first, as far back as the log of pings goes.',
  scope: 'pings:read',
  key: 'ro',
  listing: PAGE,
  responses: { 200: { description: 'The runs.', schema: runsAnswer } },
  errors: { ...oneCheck },
  async handle(call) {
    const { deps, access } = call
    const { after: before, limit } = await parsedFor(call, () => pageOf(call, PAGE))
    const { runs, next } = await deps.store.pings.listRuns(access.projectId, refOf(call), { before, limit })
    return { status: 200, body: await pageJson(call, runs, runShape, next) }
  },
}
