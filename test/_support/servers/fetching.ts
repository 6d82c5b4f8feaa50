import assert from 'node:assert/strict'
import { anyAddress } from '../../../src/lib/http/public-address.js'
import { createSafeFetch, type SafeFetchOptions } from '../../../src/lib/http/safe-fetch.js'
import type { SafeRequest } from '../../../src/lib/http/safe-request.js'

/** The guarded client, without the rule against private addresses unless `options` bring one. */
export const openFetch = (options: Partial<SafeFetchOptions> = {}) =>
  createSafeFetch({ permits: anyAddress, userAgent: 'Punctual', totalMs: 60_000, ...options })

export const get = (url: string): SafeRequest => ({ method: 'GET', url })

/** Fails unless `promise` is rejected with this message. */
export const fails = (promise: Promise<unknown>, message: string) => assert.rejects(promise, { message })
