import { type BounceOutcome, noteBounce } from '../../actions/alerts/note-bounce.js'
import { Refusal } from '../../core/errors.js'
import { containsBounceToken } from '../../lib/mail/bounce-token.js'
import { bounceReader, MailReaderBusy } from '../../lib/mail/mail-reader.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import { secretKeysOf } from '../../lib/secrets/secret-key.js'
import { LARGEST_BODY } from '../body.js'
import { TEXT } from '../responses.js'
import type { Answer, Operation } from './operation.js'

/** The token of a bounce is in its headers; most of the rest is the original e-mail. In bytes. */
const TOKEN_WITHIN = 65_536
const KEPT = 262_144

export const reportBounce: Operation = {
  id: 'reportBounce',
  summary: 'Tell that an e-mail came back',
  description:
    'For the mail server that takes the bounces of `EMAIL_MAIL_FROM_TMPL`. The body is the bounce as it came. Those ' +
    'of unknown messages, and of messages older than two days, are ignored. Not served where the setting is empty.',
  key: 'none',
  isOffered: config => config.EMAIL_MAIL_FROM_TMPL !== '',
  bodyLimit: LARGEST_BODY,
  bodyKept: KEPT,
  request: { raw: 'message/rfc822' },
  responses: {
    200: { description: '`OK`, with the reason in brackets where nothing was noted.', type: TEXT },
  },
  errors: { 400: 'The bounce is too large.', 503: 'Too many bounces came at once; try again later.' },
  async handle({ deps, raw, now, isWanted }) {
    const { store, delivery, onBounce, config } = deps
    const secretKeys = secretKeysOf(config)
    // Anyone may send a bounce, so only those with a valid token are parsed.
    if (!containsBounceToken(secretKeys, startOf(raw), now)) return answer('bad signature')
    const bounce = await read(raw, isWanted)
    if (!bounce) return answer('ignored')
    const noted = {
      store,
      site: delivery.site,
      secretKeys,
      envelopeTemplate: config.EMAIL_MAIL_FROM_TMPL,
      onBounce,
    }
    return answer(await noteBounce(noted, bounce, now))
  },
}

function answer(outcome: BounceOutcome): Answer {
  return { status: 200, body: outcome === '' ? 'OK' : `OK (${outcome})`, type: TEXT }
}

function startOf(raw: Uint8Array): string {
  return Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, TOKEN_WITHIN)).toString('latin1')
}

async function read(raw: Uint8Array, isWanted: () => boolean): Promise<MailTexts | null> {
  try {
    return await bounceReader.read(raw, { isWanted })
  } catch (error) {
    if (!(error instanceof MailReaderBusy)) throw error
    throw new Refusal('unavailable', 'too many bounces at once, try again later')
  }
}
