import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../../src/http/web/docs/render-markdown.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const stranger = world.stranger()

test('everybody may read the documents, whose links lead to pages that are there', async () => {
  const seen = new Set<string>(['/docs/'])
  for (const path of seen) {
    const { status, text, location } = await stranger.get(path)
    if (location !== null) seen.add(location)
    else assert.equal(status, 200, path)
    for (const [, href] of text.matchAll(/href="(\/docs\/[^"#]*)/g)) seen.add(href!)
  }
  for (const path of [
    '/docs/pinging/',
    '/docs/schedules/',
    '/docs/api/',
    '/docs/differences/',
    '/docs/self-hosting/',
  ]) {
    assert.ok(seen.has(path), path)
  }
})

test('examples name this installation', async () => {
  assert.match((await stranger.get('/docs/pinging/')).text, /http:\/\/localhost:8000\/ping\/KEY/)
})

test('a search finds words in any document and leads to the section', async () => {
  const { text } = await stranger.get('/docs/search/?q=time+zone')
  assert.match(text, /href="\/docs\/schedules\/#[a-z-]+"/)
  assert.match((await stranger.get('/docs/search/?q=zzzzqqqq')).text, /No results for/)
})

const FOUND: [typed: string, first: string][] = [
  ['crontab', 'examples/#crontab'],
  ['cron job', 'examples/#crontab'],
  ['systemd', 'examples/#systemd-timers'],
  ['kubernetes', 'examples/#kubernetes'],
  ['k8s', 'examples/#kubernetes'],
  ['curl', 'examples/#wget-instead-of-curl'],
  ['PowerShell', 'examples/#windows-powershell-and-the-task-scheduler'],
  ['backup', 'self-hosting/#backup'],
  ['backups with restic', 'examples/#backup-programs'],
  ['docker', 'examples/#docker'],
  ['github actions', 'examples/#github-actions'],
  ['slack', 'integrations/slack/'],
  ['timezone', 'schedules/#time-zones'],
  ['dst', 'schedules/#when-the-clock-changes'],
  ['daylight saving', 'schedules/#when-the-clock-changes'],
  ['nginx', 'self-hosting/#behind-a-reverse-proxy'],
  ['forgot password', 'self-hosting/#people-who-cannot-sign-in'],
  ['2FA', 'self-hosting/#people-who-cannot-sign-in'],
]

for (const [typed, first] of FOUND) {
  test(`a search for ${typed} leads to ${first}`, async () => {
    const { text } = await stranger.get(`/docs/search/?q=${encodeURIComponent(typed)}`)
    const [, hits] = text.split('class="hits"')
    assert.equal(/href="\/docs\/([^"]*)"/.exec(hits ?? '')?.[1], first)
  })
}

test('where no place has all words of a search, those with some of them are found', async () => {
  const { text } = await stranger.get('/docs/search/?q=crontab+zzzzqqqq')
  assert.match(text, /href="\/docs\/examples\/#crontab"/)
})

test('a search finds operations of the API, by what they do and by their path', async () => {
  assert.match((await stranger.get('/docs/search/?q=pause')).text, /href="\/docs\/api\/#[A-Za-z-]+"/)
  const [, id] = /href="\/docs\/api\/#([\w-]+)"/.exec((await stranger.get('/docs/search/?q=flips')).text)!
  assert.ok((await stranger.get('/docs/api/')).text.includes(`id="${id}"`), 'the link leads to a section')
})

test('what is searched for is shown as text', async () => {
  const { text } = await stranger.get(`/docs/search/?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  assert.ok(!text.includes('<script>alert'))
})

test('an unknown document is not found', async () => {
  for (const path of ['/docs/decisions/', '/docs/integrations/telepathy/', '/docs/..%2fpackage/']) {
    assert.equal((await stranger.get(path)).status, 404, path)
  }
})

test('HTML in a document is text, and a link without a target stays words', () => {
  const { html } = renderMarkdown('# T\n\n<script>x</script>\n\n[gone](nowhere.md) `<b>`', () => null)
  assert.ok(!html.includes('<script>'))
  assert.ok(html.includes('&lt;script&gt;') && html.includes('gone') && !html.includes('href'))
  assert.ok(html.includes('<code>&lt;b&gt;</code>'))
})

test('a long name in code may break after an underscore, and only there', () => {
  const { html } = renderMarkdown('# T\n\n`PING_LOG_LIMIT` and `_`', () => null)
  assert.ok(html.includes('<code>PING_<wbr>LOG_<wbr>LIMIT</code> and <code>_</code>'))
})

test('two sections of one name have addresses of their own', () => {
  const { html, sections } = renderMarkdown('# T\n\n## Same\n\none\n\n## Same\n\ntwo', href => href)
  assert.ok(html.includes('id="same"') && html.includes('id="same-2"'))
  assert.deepEqual(
    sections.map(({ id }) => id),
    ['', 'same', 'same-2'],
  )
})

test('integrations stand in the list by the names that people know', async () => {
  const { text } = await stranger.get('/docs/pinging/')
  const names = [...text.matchAll(/href="\/docs\/integrations\/[a-z]+\/"[^>]*>([^<]+)</g)].map(
    match => match[1]!,
  )
  assert.ok(names.length > 3)
  assert.deepEqual(
    names,
    names.toSorted((a, b) => a.localeCompare(b, 'en')),
  )
})
