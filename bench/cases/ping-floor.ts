import { startBare } from '../bare.js'
import type { Case } from '../case.js'
import { compare } from '../compare.js'
import { startThreadServer } from '../thread-server.js'

export const pingFloor: Case = {
  name: 'ping-floor',
  title: 'The path of a ping without rules and database: to a thread and back, with a sync for each batch',
  target: 'nothing: it is the most that pings by GET can reach in this design',
  remote: false,
  once: true,
  async run(options) {
    const bare = await startBare({ type: 'text/html; charset=utf-8', body: 'OK' })
    const threadServer = await startThreadServer(options.folder)
    try {
      const load = { paths: ['/ping/3cba109f-4b8a-4f0b-8c8e-2a2a54fb1d0c'], connections: 64 }
      return [
        await compare(options, 'answers', {
          ours: { ...load, ...threadServer },
          limit: { ...load, ...bare },
        }),
      ]
    } finally {
      await threadServer.stop()
      await bare.stop()
    }
  },
}
