import { constants } from 'node:crypto'
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { DEFAULT_CIPHERS, connect as openTls, type TLSSocket } from 'node:tls'
import { FetchError } from './fetch-error.js'
import { PacedStream } from './paced-stream.js'
import type { AddressRule } from './public-address.js'
import { ReceivePauses } from './receive-pauses.js'
import { resolveName } from './resolve-name.js'

export interface ConnectTarget {
  /** A name, or an IP address without brackets. */
  hostname: string
  port: number
  tls: boolean
}

/** How long to wait before the next address of the same name is tried in parallel. */
const NEXT_ADDRESS_MS = 1_000

/** The maximum number of bytes that a server may send in a handshake. Its certificates usually take 3 to 6 kB. */
const MAX_HANDSHAKE_BYTES = 32_768
/** After the handshake: the maximum number of bytes besides twice the content, such as those that renew its keys. */
const MAX_OVERHEAD_BYTES = 262_144

const pauses = new ReceivePauses(() => performance.now())

/**
 * A server chooses from what is offered, and each handshake is computed in this thread: with a finite-field group of 10,000
 * bits that takes most of a second, so only elliptic curves are offered. Nor may a server ask for one handshake after another.
 */
const TLS_OPTIONS = {
  ALPNProtocols: ['http/1.1'],
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}

/**
 * Connects to an address that `permits` allows. The name is resolved once, and the connection goes to an address that
 * was checked, which defeats DNS rebinding. Rejects with `FetchError`, or with the signal's reason.
 */
export function guardedConnect(
  target: ConnectTarget,
  permits: AddressRule,
  signal: AbortSignal,
): Promise<Socket | TLSSocket> {
  const { hostname, port, tls } = target
  const literal = isIP(hostname) !== 0
  if (literal && !permits(hostname)) return Promise.reject(new FetchError('private'))
  const options = {
    host: hostname,
    port,
    lookup: lookupPermitted(permits, signal),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  }
  return new Promise((resolve, reject) => {
    const tcp = openTcp(options)
    let socket: Socket | TLSSocket = tcp
    const abort = () => {
      socket.destroy()
      tcp.destroy()
      reject(signal.reason)
    }
    const settle = () => {
      signal.removeEventListener('abort', abort)
      tcp.removeListener('error', fail)
      socket.removeListener('error', fail)
      socket.removeListener('close', closed)
    }
    const closed = () => fail(new Error('The connection was closed'))
    const fail = (error: Error) => {
      settle()
      socket.destroy()
      tcp.destroy()
      reject(failureOf(error, socket !== tcp))
    }
    const succeed = () => {
      settle()
      resolve(socket)
    }
    tcp.setNoDelay(true)
    tcp.once('error', fail)
    tcp.once('connect', () => {
      if (!tls) return succeed()
      socket = startTls(tcp, literal ? {} : { servername: hostname })
      socket.once('error', fail)
      socket.once('close', closed)
      socket.once('secureConnect', succeed)
    })
    signal.addEventListener('abort', abort, { once: true })
  })
}

function startTls(tcp: Socket, name: { servername?: string }): TLSSocket {
  let secure = false
  const mayReceive = (bytes: number) =>
    bytes <= (secure ? MAX_OVERHEAD_BYTES + 2 * socket.bytesRead : MAX_HANDSHAKE_BYTES)
  const socket = openTls({ socket: new PacedStream(tcp, pauses, mayReceive), ...TLS_OPTIONS, ...name })
  socket.once('secureConnect', () => {
    secure = true
  })
  return socket
}

function lookupPermitted(permits: AddressRule, signal: AbortSignal): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, signal).then(
      found => {
        const allowed = found.filter(({ address }) => permits(address))
        const [first] = allowed
        if (!first) callback(new FetchError('private'), '')
        else if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      error => callback(new FetchError('resolve', error), ''),
    )
  }
}

function failureOf(error: Error & { code?: string }, inHandshake: boolean): FetchError {
  if (error instanceof FetchError) return error
  if (inHandshake) return new FetchError('tls', error)
  return new FetchError(error.code === 'ETIMEDOUT' ? 'timeout' : 'connect', error)
}
