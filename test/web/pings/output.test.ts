/** Outputs on pages: whatever the bytes, the page shows their text and nothing of them acts. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { formatBody, formatTexts } from '../../../src/http/web/pings/format-output.js'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice } = world
const bytes = (text: string) => new TextEncoder().encode(text)

const html = async (text: string) => (await formatTexts([{ label: 'Output', text }]))[0]!.html

/** The text that a browser would show, without line numbers. */
function shownText(text: string): string {
  return text
    .replace(/<a href="#L\d+">\d+<\/a>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

const ELEMENT =
  /^(<span class="(line" id="L\d+|[a-z -]+)">|<\/span>|<a href="(#L\d+|https?:\/\/[^"<>]+)"( rel="noopener noreferrer nofollow")?>|<\/a>)$/

test('any text is shown in full, with no elements but those of the viewer', async () => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const parts = [
    '<script>',
    '"',
    "'",
    '&amp;',
    '&',
    '<a href=',
    'https://x.example/?a=1&b="',
    'http://',
    'javascript:alert(1)',
    '\n',
    '\t',
    'é',
    '🙂',
    '\u202e',
    ' ',
    '</pre>',
    'L1',
    '#',
  ]
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: random(12) }, () => parts[random(parts.length)]!).join('')
    const shown = await html(text)
    for (const [element] of shown.matchAll(/<[^>]*>/g)) assert.match(element, ELEMENT, text)
    const expected = text.endsWith('\n') || text === '' ? text || '\n' : `${text}\n`
    assert.equal(shownText(shown), expected, JSON.stringify(text))
  }
})

test('no bytes make the viewer fail or add elements to the page', async () => {
  let seed = 5
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const likely = [...bytes('\x1b[]m;:38K\r\n\b<>"&h{}ttp://')]
  for (let round = 0; round < 2_000; round++) {
    const body = Uint8Array.from({ length: random(80) }, () =>
      random(4) === 0 ? random(256) : likely[random(likely.length)]!,
    )
    const { texts } = await formatBody(body, { size: body.length, part: 'all' })
    for (const { html: shown } of texts)
      for (const [element] of shown.matchAll(/<[^>]*>/g)) assert.match(element, /^<\/?(span|a)\b/)
  }
})

test('formatting a long output lets other work go on', async () => {
  const text = `${'\x1b[31mred <b> https://example.org/a \x1b[0m plain\n'.repeat(2_400)}${'<&>'.repeat(30_000)}`
  await html(text)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const before = performance.now()
  await html(text)
  const took = performance.now() - before
  delay.disable()
  // On a busy machine each turn may be interrupted; in one turn the longest would be all of it.
  assert.ok(delay.max / 1e6 < Math.max(20, took * 0.75), `${delay.max / 1e6} of ${took} ms`)
})

test('a ping’s page shows colours, folds progress, links addresses and numbers lines', async () => {
  const uuid = await world.addCheck('Colourful')
  const body = '\x1b[32mok\x1b[0m https://example.org/run?id=1&x=2.\n10 %\r100 %\n<b>bold</b>'
  await pingCheck(world, uuid, 'success', { body: bytes(body) })
  const { text } = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.match(text, /<span class="line" id="L1"><a href="#L1">1<\/a><span class="o-green">ok<\/span>/)
  assert.match(text, /<a href="https:\/\/example.org\/run\?id=1&amp;x=2" rel="noopener noreferrer nofollow">/)
  assert.match(text, /id="L2"><a href="#L2">2<\/a>100 %\n/)
  assert.match(text, /&lt;b&gt;bold/)
  assert.match(wordsOf(text), new RegExp(`${bytes(body).length} bytes\\s+Download`))
})

test('JSON is indented, and can be seen as it was sent', async () => {
  const uuid = await world.addCheck('Json')
  await pingCheck(world, uuid, 'success', { body: bytes('{"rows":12,"ok":true}') })
  const { text } = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.match(text, /<label for="body-0">JSON<.*<label for="body-1">Raw</s)
  assert.match(text, /id="L2"><a href="#L2">2<\/a> {2}&quot;rows&quot;: 12,/)
  assert.match(text, /id="L2-1"><a href="#L2-1">1<\/a>\{&quot;rows&quot;:12,/)
})

test('binary data is shown in hexadecimal digits, with its size and a link to download it', async () => {
  const uuid = await world.addCheck('Binary')
  await pingCheck(world, uuid, 'success', {
    body: Uint8Array.from({ length: 900 }, (_, index) => index % 256),
  })
  const { text } = await alice.open(`/checks/${uuid}/last_ping/`)
  assert.match(text, /00000010 {2}10 11 12 13/)
  assert.match(wordsOf(text), /Binary, 900 bytes\s+Download/)
})

test('the output on a check’s page leads to its lines on the page of the ping', async () => {
  const uuid = await world.addCheck('Down with output')
  await pingCheck(world, uuid, 'fail', { body: bytes('first\n\x1b[31mlast\x1b[0m') })
  const short = await alice.get(`/checks/${uuid}/details/`)
  assert.match(short.text, new RegExp(`<a href="/checks/${uuid}/pings/1/#L2">2</a><span class="o-red">last`))
  assert.match(wordsOf(short.text), /1 #1.*OK|Failed.*first/s)
  await pingCheck(world, uuid, 'fail', { body: bytes(`${'a line of an output\n'.repeat(200)}the end`) })
  const long = await alice.get(`/checks/${uuid}/details/`)
  assert.match(wordsOf(long.text), /End of the last output/)
  assert.match(long.text, /<span class="line">the end/)
})
