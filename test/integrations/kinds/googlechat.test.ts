import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googlechat } from '../../../src/integrations/kinds/googlechat.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import type { RecordedRequest } from '../../_support/servers/recorder.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, RECOVERY, withoutLinks } from '../../_support/worlds/integration-cases.js'

const path = '/v1/spaces/AAAA/messages?key=s3cr3tkey&token=s3cr3tt0ken'

const sectionOf = (request: RecordedRequest | undefined) => {
  const { cardsV2 } = jsonOf(request!)
  assert.equal(cardsV2.length, 1)
  const [section] = cardsV2[0].card.sections
  return section
}

const button = (url: string) => ({
  buttonList: { buttons: [{ text: 'View in Punctual', onClick: { openLink: { url } } }] },
})

integrationCases({
  integration: googlechat,
  origins: ['https://chat.googleapis.com'],
  settings: () => ({ url: `https://chat.googleapis.com${path}` }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, `POST ${path}`)
    assert.equal(jsonOf(request!).fallbackText, 'The check "Backup" is DOWN, exit status 2.')
    const { widgets, ...section } = sectionOf(request)
    assert.deepEqual(section, { collapsible: true, uncollapsibleWidgetsCount: 1 })
    assert.deepEqual(widgets[0], {
      textParagraph: {
        text: '<b>\u201cBackup\u201d is DOWN, exit status 2.</b><br>Down since 11:50 UTC: the job exited with status 2.',
      },
    })
    assert.deepEqual(widgets[1], {
      decoratedText: {
        topLabel: 'Last ping',
        text: 'Exit status 2, 11:50 UTC (10 minutes ago)',
        wrapText: true,
      },
    })
    assert.deepEqual(widgets.at(-3), {
      textParagraph: { text: '<b>Last ping body</b><br>line 1<br>fatal: disk full' },
    })
    assert.deepEqual(widgets.at(-1), button(FALL.checkUrl))
  },
  up([request]) {
    const { widgets } = sectionOf(request)
    assert.deepEqual(widgets[0], {
      textParagraph: {
        text: '<b>\u201cBackup\u201d is UP.</b><br>Up since 11:50 UTC. The downtime lasted 1 hour, 30 minutes.',
      },
    })
    assert.deepEqual(widgets.at(-1), button(RECOVERY.checkUrl))
  },
  hostile([request]) {
    const { widgets } = sectionOf(request)
    for (const { textParagraph, decoratedText } of widgets) {
      const text = (textParagraph ?? decoratedText)?.text.replace(/<\/?b>|<br>/g, '') ?? ''
      assert.doesNotMatch(text, /[<>]/)
    }
    assert.match(widgets[0].textParagraph.text, /Backup &lt;b&gt;&amp;amp;&lt;\/b&gt;/)
  },
  permanent: [],
  notice([request], notice) {
    const { widgets } = sectionOf(request)
    assert.equal(widgets.length, 2)
    assert.match(widgets[0].textParagraph.text, /^<b>The channel Backup &lt;b&gt;/)
    assert.deepEqual(widgets[1], button(notice.url))
  },
  digest([request]) {
    const [{ textParagraph }] = sectionOf(request).widgets
    assert.doesNotMatch(
      withoutLinks(textParagraph.text.replaceAll('<br>', '\n')).replace(/<\/?b>|<br>/g, ''),
      /[<>]/,
    )
    assert.match(textParagraph.text, /failed<br><br>and 360 more$/)
  },
})

test('the messages about one incident are in one thread', async t => {
  const recorder = await openRecorder(t)
  const routes = { 'https://chat.googleapis.com': recorder.url }
  const url = 'https://chat.googleapis.com/v1/spaces/A/messages?key=k3yk3y&token=t0kent0ken'
  for (const status of ['down', 'up'] as const) {
    const to = aDestination(googlechat, { url }, { thread: 'incident' })
    await googlechat.send(anAlert({ status }), to, testWays(null, { routes }))
  }
  for (const request of recorder.requests) {
    const { searchParams } = new URL(request.url, 'http://recorder')
    assert.equal(searchParams.get('messageReplyOption'), 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    assert.equal(searchParams.get('token'), 't0kent0ken')
    assert.deepEqual(jsonOf(request).thread, { threadKey: 'incident' })
  }
  assert.equal(recorder.requests.length, 2)
})
