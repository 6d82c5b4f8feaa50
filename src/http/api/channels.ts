import { z } from 'zod'
import type { Operation } from './operation.js'
import { writeKey } from './refusals.js'
import { channelSchema } from './schemas.js'

export const listChannels: Operation = {
  id: 'listChannels',
  summary: 'List the channels of the project',
  key: 'rw',
  responses: {
    200: { description: 'The channels.', schema: () => z.object({ channels: z.array(channelSchema()) }) },
  },
  errors: writeKey,
  async handle({ deps, access }) {
    return { status: 200, body: await deps.store.channels.showList(access.projectId) }
  },
}
