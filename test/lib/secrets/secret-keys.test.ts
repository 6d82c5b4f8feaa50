import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounceToken, readBounceToken } from '../../../src/lib/mail/bounce-token.js'
import { badgeSignature, isBadgeSignature } from '../../../src/lib/secrets/badge-signature.js'
import { seal, unseal } from '../../../src/lib/secrets/sealed.js'
import { secretKeysOf } from '../../../src/lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../../src/lib/secrets/signing.js'

const NOW = Date.parse('2026-03-05T12:00:00Z')

/** Each makes something with a key, and says whether it is accepted by others. */
const USES: Record<string, (key: string, accepted: readonly string[]) => boolean> = {
  'a signature': (key, accepted) => isSignature(accepted, 'test', 'value', signatureOf(key, 'test', 'value')),
  'a sealed value': (key, accepted) => unseal(accepted, 'test', seal(key, 'test', {}, NOW + 1), NOW) !== null,
  'the token of a bounce': (key, accepted) =>
    readBounceToken(accepted, bounceToken(key, 'n.1', NOW), NOW)?.value === 'n.1',
  'the signature of a badge': (key, accepted) =>
    isBadgeSignature(badgeSignature('project', key, 'tag'), 'project', accepted, 'tag'),
}

for (const [what, isAccepted] of Object.entries(USES)) {
  test(`${what} is accepted by the key that made it and where that key is the one before`, () => {
    const rotated = secretKeysOf({ SECRET_KEY: 'new', SECRET_KEY_PREVIOUS: 'old' })
    const alone = secretKeysOf({ SECRET_KEY: 'new', SECRET_KEY_PREVIOUS: '' })
    assert.deepEqual(
      [isAccepted('new', alone), isAccepted('new', rotated), isAccepted('old', rotated)],
      [true, true, true],
    )
    assert.deepEqual(
      [isAccepted('old', alone), isAccepted('other', rotated), isAccepted('', alone)],
      [false, false, false],
    )
  })
}

test('an expired value is not unsealed with the previous key either', () => {
  assert.equal(unseal(['new', 'old'], 'test', seal('old', 'test', {}, NOW), NOW), null)
  assert.equal(unseal(['new', 'old'], 'other', seal('old', 'test', {}, NOW + 1), NOW), null)
})
