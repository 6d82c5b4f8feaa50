import assert from 'node:assert/strict'
import { googlechat } from '../../../src/integrations/kinds/googlechat.js'
import { jsonOf } from '../../_support/recorded-text.js'
import type { RecordedRequest } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, RECOVERY } from '../../_support/worlds/integration-cases.js'

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
    assert.equal(jsonOf(request!).fallbackText, 'The check "Backup" is DOWN.')
    const { widgets, ...section } = sectionOf(request)
    assert.deepEqual(section, { collapsible: true, uncollapsibleWidgetsCount: 1 })
    assert.deepEqual(widgets[0], {
      textParagraph: { text: '<b>\u201cBackup\u201d is DOWN.</b><br>Reason: received a failure signal.' },
    })
    assert.deepEqual(widgets[1], {
      decoratedText: { topLabel: 'Description', text: 'Nightly dump of Alpha', wrapText: true },
    })
    assert.deepEqual(widgets.at(-3), {
      textParagraph: { text: '<b>Last Ping Body</b><br>line 1<br>fatal: disk full' },
    })
    assert.deepEqual(widgets.at(-1), button(FALL.checkUrl))
  },
  up([request]) {
    const { widgets } = sectionOf(request)
    assert.deepEqual(widgets[0], {
      textParagraph: {
        text: '<b>\u201cBackup\u201d is UP.</b><br>The downtime lasted 1 hour, 30 minutes.',
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
    assert.doesNotMatch(textParagraph.text.replace(/<\/?b>|<br>/g, ''), /[<>]/)
    assert.match(textParagraph.text, /failed<br><br>and 360 more$/)
  },
})
