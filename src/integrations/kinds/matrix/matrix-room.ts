/** Requests to a Matrix homeserver with the operator's account. Source: Matrix, client-server API. */
import { Refusal } from '../../../core/errors.js'
import { parseJsonOrNull } from '../../../lib/formats/parse-json-or-null.js'
import { DeliveryError, type Destination } from '../../integration.js'
import type { HttpAnswer, HttpRequest } from '../../transports.js'

type Operator = Destination['operator']

/** The request to join a room, by its ID or an alias; see `joinedRoom` for the response. */
export function joinRequest(operator: Operator, room: string): HttpRequest {
  return matrixRequest(operator, 'POST', `join/${encodeURIComponent(room)}`, {})
}

/** The ID of the joined room. Throws `Refusal('invalid', sentence, 'room_id')` with the reason if joining failed. */
export function joinedRoom(answer: HttpAnswer, operator: Operator): string {
  const id = answer.status === 200 ? fieldOf(answer, 'room_id') : undefined
  if (typeof id === 'string' && id.startsWith('!')) return id
  throw new Refusal('invalid', joinFailure(answer.status, operator), 'room_id')
}

function joinFailure(status: number, { MATRIX_USER_ID: user }: Operator): string {
  if (status === 403) return `The room cannot be joined. Invite ${user || "Punctual's user"} to it first.`
  if (status === 404) return 'There is no such room.'
  if (status === 429) return 'The Matrix server is asked too often just now; try again later.'
  return `The room cannot be joined: the Matrix server answered with status ${status}.`
}

/** The request that posts a message to a room. Repeating a `transaction` does not post it again. */
export function messageRequest(
  operator: Operator,
  roomId: string,
  transaction: string,
  content: object,
): HttpRequest {
  const path = `rooms/${encodeURIComponent(roomId)}/send/m.room.message/${encodeURIComponent(transaction)}`
  return matrixRequest(operator, 'PUT', path, content)
}

/** How long the server asks to wait, in ms, according to the body; null if it does not say. */
export function bodyRetryMs(answer: HttpAnswer): number | null {
  const value = fieldOf(answer, 'retry_after_ms')
  return typeof value === 'number' && value >= 0 ? value : null
}

function matrixRequest(operator: Operator, method: 'POST' | 'PUT', path: string, body: object): HttpRequest {
  const { MATRIX_HOMESERVER: server = '', MATRIX_ACCESS_TOKEN: token = '' } = operator
  if (!URL.canParse(server) || token === '') {
    throw new DeliveryError('Matrix is not set up (MATRIX_HOMESERVER, MATRIX_ACCESS_TOKEN)')
  }
  return {
    method,
    url: `${server.replace(/\/+$/, '')}/_matrix/client/v3/${path}`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    trustedOrigin: new URL(server).origin,
  }
}

function fieldOf({ body }: HttpAnswer, name: string): unknown {
  const value = parseJsonOrNull(body)
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
