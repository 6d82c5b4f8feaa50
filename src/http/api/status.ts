import { HTML } from '../responses.js'
import type { Operation } from './operation.js'

export const getStatus: Operation = {
  id: 'getStatus',
  summary: 'Ask whether the database answers',
  key: 'none',
  responses: { 200: { description: '`OK`', type: HTML } },
  errors: { 500: 'The database does not answer.' },
  async handle({ deps }) {
    try {
      await deps.store.instance.probe()
      return { status: 200, body: 'OK', type: HTML }
    } catch (error) {
      deps.onError(error)
      return { status: 500, body: 'the database does not answer', type: 'text/plain; charset=utf-8' }
    }
  },
}
