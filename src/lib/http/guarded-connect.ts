import { constants } from 'node:crypto'
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { DEFAULT_CIPHERS, connect as openTls, type TLSSocket } from 'node:tls'
import { FetchError } from './fetch-error.js'
import type { AddressRule } from './public-address.js'
import { resolveName } from './resolve-name.js'

export interface ConnectTarget {
  /** A name, or an IP address without brackets. */
  hostname: string
  port: number
  tls: boolean
}

/** How long to wait before the next address of the same name is tried in parallel. */
const NEXT_ADDRESS_MS = 1_000

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
    const socket = tls
      ? openTls({ ...options, ...TLS_OPTIONS, ...(literal ? {} : { servername: hostname }) })
      : openTcp(options)
    let reached = false
    const abort = () => {
      socket.destroy()
      reject(signal.reason)
    }
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(failureOf(error, reached && tls))
    }
    socket.setNoDelay(true)
    socket.once('connect', () => {
      reached = true
    })
    socket.once('error', fail)
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('error', fail)
      resolve(socket)
    })
    signal.addEventListener('abort', abort, { once: true })
  })
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
