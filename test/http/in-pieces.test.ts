/** Bodies that are sent while the rest is made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPieces } from '../../src/http/native/serve/in-pieces.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const errors: unknown[] = []
const inPiecesOf = (run: Parameters<typeof inPieces>[0]) => inPieces(run, error => errors.push(error))
const broken = () => Promise.reject(new Error('the database is gone'))

test('a body without pieces is whole, and its error is that of the answer', async () => {
  assert.deepEqual(await inPiecesOf(async () => bytes('all')), bytes('all'))
  await assert.rejects(inPiecesOf(broken), { message: 'the database is gone' })
})

test('a body begins with its first piece, and ends with what was returned', async () => {
  let finish = () => {}
  const last = new Promise<void>(resolve => {
    finish = resolve
  })
  const body = await inPiecesOf(async onPiece => {
    onPiece(bytes('one '))
    await last
    onPiece(bytes('two '))
    return bytes('three')
  })
  assert.ok(body instanceof ReadableStream)
  finish()
  assert.equal(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).text(), 'one two three')
})

test('an error after the first piece breaks the body off', async () => {
  const body = await inPiecesOf(async onPiece => {
    onPiece(bytes('one '))
    return await broken()
  })
  await assert.rejects(new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).text(), {
    message: 'the body was broken off',
  })
  assert.deepEqual(errors.splice(0).map(String), ['Error: the database is gone'])
})

test('what comes after the reader has gone is dropped, and an error is noted', async () => {
  for (const end of [async () => bytes('end'), broken]) {
    let isOver = false
    const body = await inPiecesOf(async onPiece => {
      onPiece(bytes('one '))
      await new Promise(resolve => setImmediate(resolve))
      await (body as ReadableStream).cancel()
      onPiece(bytes('two '))
      isOver = true
      return await end()
    })
    while (!isOver) await new Promise(resolve => setImmediate(resolve))
  }
  assert.equal(errors.splice(0).length, 1)
})
