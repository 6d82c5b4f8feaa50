/**
 * Gatus: results that are pushed to its external endpoints. Sources: https://github.com/TwiN/gatus#external-endpoints and
 * `api/external_endpoint.go` there.
 */
import { Refusal } from '../../core/errors.js'
import { rawBody } from '../api/admit.js'
import { LARGEST_BODY } from '../body.js'
import { respond, TEXT } from '../responses.js'
import { type Foreign, recordForeign } from './foreign.js'
import { goDurationMs } from './go-duration.js'

const PATH = /^\/api\/v1\/endpoints\/([^/?]+)\/external\/?(?:\?|$)/

export const gatus: Foreign = {
  paths: PATH,
  async answer(parts, request, incoming) {
    if (request.method !== 'POST') return respond(405, null, TEXT, { Allow: 'POST' })
    const { pathname, searchParams } = new URL(request.url)
    const success = searchParams.get('success')
    if (success !== 'true' && success !== 'false') {
      throw new Refusal('invalid', 'missing or invalid success query parameter')
    }
    const pingKey = /^Bearer ([-a-zA-Z0-9_]+)\s*$/.exec(request.headers.get('Authorization') ?? '')?.[1]
    const slug = slugOf(PATH.exec(pathname)![1]!)
    const found = pingKey
      ? await parts.lookUp(store => store.projects.findByProtocol({ protocol: 'gatus', pingKey, slug }))
      : null
    if (!found) throw new Refusal('unauthorized', 'invalid token')
    parts.noteKnown()
    if (!found.check) throw new Refusal('not-found', 'not found')
    if (found.check === 'ambiguous') throw new Refusal('conflict', `several checks have the slug ${slug}`)
    const durationMs = durationIn(searchParams.get('duration') ?? '')
    const body = await rawBody(incoming, LARGEST_BODY)
    const errors = [searchParams.get('error') ?? '', errorIn(body)].filter(text => text !== '')
    await recordForeign(parts, incoming, {
      target: { uuid: found.check.uuid },
      action: success === 'true' ? 'success' : 'fail',
      durationMs,
      body: success === 'true' || errors.length === 0 ? null : Buffer.from(errors.join('\n')),
    })
    return respond(200, '', TEXT)
  },
}

/** The slug for the key of an endpoint, `GROUP_NAME`; without a group it begins with `_`. */
function slugOf(key: string): string {
  return key.toLowerCase().replace(/^_/, '')
}

function durationIn(text: string): number | null {
  if (text === '') return null
  const ms = goDurationMs(text)
  if (ms === null) throw new Refusal('invalid', `invalid duration: ${JSON.stringify(text)}`)
  return ms
}

/** The error in a body of JSON. Gatus ignores a body that is something else. */
function errorIn(body: Uint8Array): string {
  try {
    const { error } = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}
