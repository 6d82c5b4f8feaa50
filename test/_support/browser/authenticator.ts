/** An authenticator without a browser: it makes one passkey and answers challenges with it. Source: W3C, Web Authentication 2. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** What may be wrong with an answer. */
export interface Answering {
  origin?: string
  /** The domain that the passkey is bound to. */
  domain?: string
  /** The number of uses that it claims. */
  counter?: number | undefined
  type?: string
  /** Whether the person was there. */
  present?: boolean
}

const PRESENT = 0x01
const WITH_CREDENTIAL = 0x40

/** Begins a CBOR item: its major type, and its length or value. Source: RFC 8949, section 3. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, member]) => [cbor(key), cbor(member as never)])
  return Buffer.concat([head(5, value.size), ...entries])
}

export function newAuthenticator(site: string) {
  const { origin, hostname } = new URL(site)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const { x, y } = publicKey.export({ format: 'jwk' })
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x!, 'base64url')],
    [-3, Buffer.from(y!, 'base64url')],
  ])
  const uses = { count: 0 }

  function facts({ domain = hostname, counter, present = true }: Answering, more = Buffer.alloc(0)): Buffer {
    const bytes = Buffer.alloc(37)
    createHash('sha256').update(domain).digest().copy(bytes)
    bytes[32] = (present ? PRESENT : 0) | (more.length > 0 ? WITH_CREDENTIAL : 0)
    bytes.writeUInt32BE(counter ?? ++uses.count, 33)
    return Buffer.concat([bytes, more])
  }

  const client = (challenge: string, type: string, wrong: Answering) =>
    Buffer.from(JSON.stringify({ type: wrong.type ?? type, challenge, origin: wrong.origin ?? origin }))

  const answer = (response: Record<string, Buffer>) => {
    const sent = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])
    const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
    return JSON.stringify({ ...credential, clientExtensionResults: {}, response: Object.fromEntries(sent) })
  }

  return {
    /** What a browser sends after it has made the passkey. */
    create(challenge: string, wrong: Answering = {}): string {
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cbor(key)])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', facts(wrong, credential)],
      ])
      const clientDataJSON = client(challenge, 'webauthn.create', wrong)
      return answer({ clientDataJSON, attestationObject: cbor(attestation) })
    },
    /** What a browser sends after the passkey was used. */
    use(challenge: string, wrong: Answering = {}): string {
      const clientDataJSON = client(challenge, 'webauthn.get', wrong)
      const authenticatorData = facts(wrong)
      const hash = createHash('sha256').update(clientDataJSON).digest()
      const signed = Buffer.concat([authenticatorData, hash])
      const signature = createSign('SHA256').update(signed).sign(privateKey)
      return answer({ clientDataJSON, authenticatorData, signature })
    },
  }
}
