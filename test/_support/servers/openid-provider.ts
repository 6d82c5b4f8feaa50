import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Page, Visitor } from '../browser/visitor.js'

/** The user whom the provider signs in next. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
}

/** How the provider answers requests for tokens. */
type TokenAnswer = 'right' | 'refuses' | 'long' | 'away'

/** A small OpenID Connect provider that signs in any given user, until the end of the file's tests. */
export async function openProvider(now: () => number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, { nonce: string; challenge: string; redirect: string; person: Person }>()
  const provider = {
    issuer: '',
    person: { sub: 'nobody' } as Person,
    badNonce: false,
    foreignKey: false,
    token: 'right' as TokenAnswer,
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, provider.issuer)
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/.well-known/openid-configuration') {
      json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      })
    } else if (url.pathname === '/keys') {
      json({ keys: [jwk] })
    } else if (url.pathname === '/authorize') {
      const asked = url.searchParams
      const code = `code-${grants.size}`
      grants.set(code, {
        nonce: asked.get('nonce')!,
        challenge: asked.get('code_challenge')!,
        redirect: asked.get('redirect_uri')!,
        person: provider.person,
      })
      const back = new URL(asked.get('redirect_uri')!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state')!)
      response.writeHead(302, { Location: back.href }).end()
    } else if (url.pathname === '/token') {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const sent = new URLSearchParams(Buffer.concat(pieces).toString())
      if (provider.token === 'away') return request.socket.destroy()
      if (provider.token === 'long') return json({ access_token: 'x'.repeat(70_000) })
      if (provider.token === 'refuses') {
        const description = `The client ${sent.get('client_id')} may not use ${sent.get('code')} or ${sent.get('client_secret')}`
        return json({ error: 'invalid_client', error_description: description }, 401)
      }
      const grant = grants.get(sent.get('code')!)
      const verifier = createHash('sha256').update(sent.get('code_verifier')!).digest('base64url')
      const right =
        grant?.challenge === verifier &&
        sent.get('client_secret') === 'shared' &&
        grant.redirect === sent.get('redirect_uri')
      if (!grant || !right) return json({ error: 'invalid_grant' }, 400)
      const seconds = Math.floor(now() / 1000)
      const nonce = provider.badNonce ? 'another' : grant.nonce
      const times = { iat: seconds, exp: seconds + 300 }
      const claims = { iss: provider.issuer, aud: 'punctual', nonce, ...times, ...grant.person }
      json({ access_token: 'unused', token_type: 'Bearer', id_token: signed(claims) })
    } else {
      json({}, 404)
    }
  })

  function signed(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`
    return `${content}.${createSign('RSA-SHA256')
      .update(content)
      .sign(provider.foreignKey ? foreign : privateKey)
      .toString('base64url')}`
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return provider
}

/** Goes to the provider as `person` and returns. The result is the page to which the visitor returns, and its query. */
export async function signInAt(
  provider: { person: Person },
  visitor: Visitor,
  person: Person,
  next = '',
): Promise<{ page: Page; query: string }> {
  provider.person = person
  const away = await visitor.get(`/accounts/openid/${next && `?next=${encodeURIComponent(next)}`}`)
  assert.equal(away.status, 302)
  const back = await fetch(away.location!, { redirect: 'manual' })
  const url = new URL(back.headers.get('Location')!)
  return { query: url.search, page: await visitor.get(url.pathname + url.search) }
}
