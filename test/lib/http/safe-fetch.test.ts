import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import tlsOptions from 'smtp-server/lib/tls-options.js'
import { isPublicAddress } from '../../../src/lib/http/public-address.js'
import { testWays } from '../../_support/alert.js'
import { fails, get, openFetch } from '../../_support/servers/fetching.js'
import { openRecorder } from '../../_support/servers/recorder.js'

/** A TCP server that does as it is told with each connection. */
async function openTcp(t: TestContext, onConnection: (socket: import('node:net').Socket) => void) {
  const server = createServer(socket => {
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    onConnection(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as import('node:net').AddressInfo).port
}

test('nothing is sent over a connection whose sender may not begin any more', async t => {
  const recorder = await openRecorder(t)
  const own = new AbortController()
  const begins = () => {
    own.abort(new Error('too late'))
    own.signal.throwIfAborted()
  }
  const request = { method: 'GET' as const, url: recorder.url }
  await assert.rejects(openFetch()(request, own.signal, begins), /too late/)
  assert.deepEqual(recorder.requests, [])
})

test('a request is sent unchanged, and the response is returned', async t => {
  const recorder = await openRecorder(t, () => ({ status: 418, headers: { 'x-pot': 'tea' }, body: 'short' }))
  const before = Date.now()
  const answer = await openFetch()({
    method: 'PUT',
    url: `${recorder.url}/a%20b?c=d#e`,
    headers: { 'Content-Type': 'text/plain', 'X-Name': 'J\u00fcrgen' },
    body: 'J\u00fcrgen',
  })
  const [request] = recorder.requests
  assert.equal(request?.method, 'PUT')
  assert.equal(request.url, '/a%20b?c=d')
  assert.equal(request.headers['x-name'], 'J\u00fcrgen')
  assert.equal(request.headers['user-agent'], 'Punctual')
  assert.equal(request.body, 'J\u00fcrgen')
  assert.equal(answer.status, 418)
  assert.equal(answer.headers['x-pot'], 'tea')
  assert.equal(answer.body, 'short')
  assert.ok(answer.receivedAt >= before)
})

test('a user name and password in the URL become basic authentication', async t => {
  const recorder = await openRecorder(t)
  await openFetch()(get(recorder.url.replace('//', '//us%40er:pa%3Ass@')))
  const expected = `Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`
  assert.equal(recorder.requests[0]?.headers.authorization, expected)
})

test('connection headers in a request are ignored', async t => {
  const recorder = await openRecorder(t)
  const headers = {
    'Content-Length': '99',
    'Transfer-Encoding': 'chunked',
    Upgrade: 'x',
    Expect: '100-continue',
  }
  await openFetch()({ method: 'POST', url: recorder.url, headers, body: 'abc' })
  assert.equal(recorder.requests[0]?.body, 'abc')
  assert.equal(recorder.requests[0]?.headers['content-length'], '3')
})

test('private addresses are refused in every notation before anything is sent', async t => {
  const recorder = await openRecorder(t)
  const { port } = recorder
  const fetch = openFetch({ permits: isPublicAddress })
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '017700000001',
    '0x7f.1',
    '0x7f000001',
    '127.1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[fe80::1]',
    '169.254.169.254',
    'localhost',
    'LOCALHOST',
    '\uff4cocalhost',
    '\u2460\u2461\u2466.0.0.1',
  ]
  for (const host of hosts) {
    await fails(fetch(get(`http://${host}:${port}/`)), 'Connections to private IP addresses are not allowed')
  }
  await fails(fetch(get(`https://localhost:${port}/`)), 'Connections to private IP addresses are not allowed')
  assert.deepEqual(recorder.requests, [])
})

test('an allowed private address is reached, by number and by name', async t => {
  const recorder = await openRecorder(t)
  for (const host of ['127.0.0.1', '2130706433', 'localhost']) {
    assert.equal((await openFetch()(get(`http://${host}:${recorder.port}/`))).status, 200)
  }
})

test('a name is resolved once, and the connection goes to the checked address', async t => {
  const recorder = await openRecorder(t)
  const judged: string[] = []
  const permits = (address: string) => {
    judged.push(address)
    return address === '127.0.0.1'
  }
  await openFetch({ permits })(get(`http://localhost:${recorder.port}/`))
  assert.equal(recorder.requests.length, 1)
  assert.equal(new Set(judged).size, judged.length)
})

test('a trusted origin may be private, but not the targets of its redirects', async t => {
  const inside = await openRecorder(t, undefined, '127.0.0.2')
  const recorder = await openRecorder(t, ({ url }) =>
    url === '/away' ? { status: 307, headers: { location: inside.url } } : {},
  )
  const fetch = openFetch({ permits: isPublicAddress })
  const trusting = (path: string) => ({ ...get(`${recorder.url}${path}`), trustedOrigin: recorder.url })
  assert.equal((await fetch(trusting('/'))).status, 200)
  await fails(fetch(trusting('/away')), 'Connections to private IP addresses are not allowed')
  await fails(
    fetch({ ...get(inside.url), trustedOrigin: recorder.url }),
    'Connections to private IP addresses are not allowed',
  )
  assert.deepEqual(inside.requests, [])
})

test('another connect function does not change the request', async t => {
  const recorder = await openRecorder(t)
  const transports = testWays(null, { routes: { 'https://api.example.org': recorder.url } })
  await transports.http({ method: 'POST', url: 'https://api.example.org/v2/alerts?a=b', body: 'x' })
  const [request] = recorder.requests
  assert.equal(`${request?.method} ${request?.url} ${request?.body}`, 'POST /v2/alerts?a=b x')
  assert.equal(request?.headers.host, 'api.example.org')
})

test('an endless response is read up to 64 kB', async t => {
  const recorder = await openRecorder(t, (_request, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(16_384, 'x')
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
    return undefined
  })
  const answer = await openFetch()(get(recorder.url))
  assert.equal(answer.status, 200)
  assert.equal(answer.body.length, 65_536)
})

test('a server that sends endless early hints is dropped after a few', async t => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  let sent = 0
  const port = await openTcp(t, socket => {
    const go = () => {
      while (!socket.destroyed && sent < 50_000_000) {
        sent += hints.length * 100
        if (!socket.write(hints.repeat(100))) return socket.once('drain', go)
      }
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    }
    socket.once('data', go)
  })
  await fails(openFetch()(get(`http://127.0.0.1:${port}/`)), 'The answer was not valid HTTP')
  assert.ok(sent < 50_000_000, `${sent} bytes were sent`)
})

test('a server may send a few early hints before its answer', async t => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const port = await openTcp(t, socket => {
    socket.once('data', () => socket.end(`${hints.repeat(3)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`))
  })
  assert.equal((await openFetch()(get(`http://127.0.0.1:${port}/`))).body, 'ok')
})

test('an answer that goes on for ever beside its headers and body is dropped', async t => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;'
  for (const [start, more] of [
    ['', '\r\n'],
    ['HTTP/1.1 200 ', 'OK'],
    [chunked, 'extension'],
  ] as const) {
    let sent = 0
    const port = await openTcp(t, socket => {
      const flood = Buffer.alloc(65_536, more)
      const go = () => {
        while (!socket.destroyed && sent < 50_000_000) {
          sent += flood.length
          if (!socket.write(flood)) return socket.once('drain', go)
        }
        socket.end()
      }
      socket.once('data', () => {
        socket.write(start)
        go()
      })
    })
    await fails(openFetch()(get(`http://127.0.0.1:${port}/`)), 'The answer was not valid HTTP')
    assert.ok(sent < 50_000_000, `${sent} bytes were sent`)
  }
})

test('no handshake is made over finite fields, which a server can make slow to compute', async t => {
  const { key, cert } = tlsOptions({}) as { key: string; cert: string }
  for (const offer of [
    { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' },
    { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe2048' },
  ] as const) {
    const server = createTlsServer({ key, cert, ...offer } as TlsOptions)
    const refused = Promise.race([once(server, 'tlsClientError'), once(server, 'secureConnection')])
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as import('node:net').AddressInfo
    await fails(openFetch()(get(`https://127.0.0.1:${port}/`)), 'TLS handshake failed')
    const [error] = await refused
    assert.match(error.code ?? 'a handshake', /NO_SHARED_CIPHER|NO_SUITABLE_KEY_SHARE|NO_SUITABLE_GROUPS/)
  }
})

test('a handshake with very many certificates fails before they are verified', async t => {
  const { key, cert } = tlsOptions({}) as { key: string; cert: string }
  const server = createTlsServer({ key, cert: `${cert}\n`.repeat(60) })
  const result = Promise.race([
    once(server, 'tlsClientError').then(() => 'refused'),
    once(server, 'secureConnection').then(() => 'a handshake'),
  ])
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as import('node:net').AddressInfo
  await fails(openFetch()(get(`https://127.0.0.1:${port}/`)), 'TLS handshake failed')
  assert.equal(await result, 'refused')
})

test('a silent server, and one whose head does not end, are dropped at the time limit', async t => {
  const silent = await openTcp(t, () => {})
  const drips = await openTcp(t, socket => {
    const timer = setInterval(
      () => socket.write('HTTP/1.1 200 OK\r\nX-More: '.at(socket.bytesWritten) ?? '.'),
      5,
    )
    socket.on('close', () => clearInterval(timer))
  })
  const fetch = openFetch({ totalMs: 300 })
  for (const port of [silent, drips])
    await fails(fetch(get(`http://127.0.0.1:${port}/`)), 'Connection timed out')
})

test('an answer counts whose body breaks off, or has not ended at the time limit', async t => {
  const drips = await openRecorder(t, (_request, response) => {
    response.writeHead(202)
    response.write('begun')
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
    return undefined
  })
  const breaks = await openTcp(t, socket => {
    socket.once('data', () => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 20\r\n\r\nbegun'))
  })
  const chunked = await openTcp(t, socket => {
    const head = 'HTTP/1.1 202 Accepted\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    socket.once('data', () => socket.end(`${head}5\r\nbegun\r\n`))
  })
  const slow = await openFetch({ totalMs: 5_000 })(get(drips.url))
  const cut = await openFetch()(get(`http://127.0.0.1:${breaks}/`))
  const cutInChunks = await openFetch()(get(`http://127.0.0.1:${chunked}/`))
  for (const { status, body } of [slow, cut, cutInChunks]) {
    assert.equal(status, 202)
    assert.match(body, /^begun\.*$/)
  }
})

test('a handshake that does not end is dropped at the time limit for connecting', async t => {
  const silent = await openTcp(t, () => {})
  await fails(openFetch({ connectMs: 100 })(get(`https://127.0.0.1:${silent}/`)), 'Connection timed out')
})

test('an abort ends the request with its reason', async t => {
  const silent = await openTcp(t, () => {})
  const controller = new AbortController()
  const reason = new Error('shutting down')
  const promise = openFetch()(get(`http://127.0.0.1:${silent}/`), controller.signal)
  setImmediate(() => controller.abort(reason))
  await assert.rejects(promise, reason)
  await assert.rejects(openFetch()(get(`http://127.0.0.1:${silent}/`), controller.signal), reason)
})

test('an untrusted certificate and a server without TLS fail in the handshake', async t => {
  const smtps = new SMTPServer({ secure: true, logger: false })
  smtps.on('error', () => {})
  await new Promise<void>(resolve => smtps.listen(0, '127.0.0.1', resolve))
  t.after(() => smtps.close())
  const { port } = smtps.server.address() as import('node:net').AddressInfo
  const plain = await openRecorder(t)
  const closing = await openTcp(t, socket => socket.destroy())
  for (const target of [port, plain.port, closing]) {
    await fails(openFetch()(get(`https://127.0.0.1:${target}/`)), 'TLS handshake failed')
  }
})

test('an unknown name and a closed port give different errors', async t => {
  const recorder = await openRecorder(t)
  await fails(openFetch()(get('http://nobody.invalid/')), 'Could not resolve host')
  const port = await new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as import('node:net').AddressInfo
      server.close(() => resolve(port))
    })
  })
  await fails(openFetch()(get(`http://127.0.0.1:${port}/`)), 'Connection failed')
  assert.equal(recorder.requests.length, 0)
})

test('invalid requests and responses are refused', async t => {
  const noise = await openTcp(t, socket => socket.end('SSH-2.0-noise\r\n\r\n'))
  await fails(openFetch()(get(`http://127.0.0.1:${noise}/`)), 'The answer was not valid HTTP')
  const closing = await openTcp(t, socket => socket.on('data', () => socket.destroy()))
  await fails(openFetch()(get(`http://127.0.0.1:${closing}/`)), 'Connection failed')
  await fails(openFetch()(get('ftp://127.0.0.1/')), 'Only http and https addresses are allowed')
  await fails(openFetch()(get('http://[')), 'The URL is not valid')
  const request = { ...get(`http://127.0.0.1:${noise}/`), headers: { 'X-A': 'a\r\nX-B: b' } }
  await fails(openFetch()(request), 'A header has a character that headers cannot have')
})
