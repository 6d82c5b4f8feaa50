import { noteBounce } from '../../actions/note-bounce.js'
import { mailReader } from '../../lib/mail-reader.js'
import { TEXT } from '../responses.js'
import type { Operation } from './operation.js'

export const reportBounce: Operation = {
  id: 'reportBounce',
  summary: 'Tell that an e-mail came back',
  description:
    'For the mail server that takes the bounces of `EMAIL_MAIL_FROM_TMPL`. The body is the bounce as it came. Those ' +
    'of unknown messages, and of messages older than two days, are ignored.',
  key: 'none',
  request: { raw: 'message/rfc822' },
  responses: {
    200: { description: '`OK`, with the reason in brackets where nothing was noted.', type: TEXT },
  },
  errors: { 400: 'The bounce is too large.' },
  async handle({ deps, raw, now }) {
    const { store, changes, delivery, config } = deps
    const bounce = await mailReader.read(raw)
    const outcome = bounce
      ? await noteBounce(
          {
            store,
            changes,
            site: delivery.site,
            secretKey: config.SECRET_KEY,
            envelopeTemplate: config.EMAIL_MAIL_FROM_TMPL,
          },
          bounce,
          now,
        )
      : 'ignored'
    return { status: 200, body: outcome === '' ? 'OK' : `OK (${outcome})`, type: TEXT }
  },
}
