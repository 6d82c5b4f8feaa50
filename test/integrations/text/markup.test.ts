import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cutBytes,
  disableMentions,
  escapeAngles,
  escapeChatMarkdown,
  escapeRocketChat,
  escapeSlack,
} from '../../../src/integrations/text/markup.js'

test("users' texts are escaped for each chat", () => {
  const cases: [read: (text: string) => string, given: string, shown: string][] = [
    [escapeAngles, '<!here> & co', '&lt;!here&gt; &amp; co'],
    [escapeSlack, '*/5 * `x` <@U1>', '\u034f*/5 \u034f* \u034f`x\u034f` &lt;@U1&gt;'],
    [disableMentions, '@all <a|b> [t](u) [x] ```', '@\u200ball <\u200ba|b> [t]\u200b(u) [x] ``\u02cb'],
    [escapeChatMarkdown, 'a_b* \\ ||s||', 'a\\_b\\* \\\\ \\|\\|s\\|\\|'],
    [escapeChatMarkdown, '# h\n> q\n- i\na - b # c', '\\# h\n\\> q\n\\- i\na - b # c'],
    [escapeRocketChat, '*b* \\ #general ||s||', '\\*b\\* \\ #\u200bgeneral |\u200b|s|\u200b|'],
    [escapeRocketChat, '> q\na > b - c', '\u200b> q\na > b - c'],
  ]
  for (const [read, given, shown] of cases) assert.equal(read(given), shown, `${read.name}: ${given}`)
})

test('a text is cut to a number of bytes between characters', () => {
  assert.equal(cutBytes('abc', 3), 'abc')
  assert.equal(cutBytes('abcdef', 5), 'ab\u2026')
  const cut = cutBytes('\u{1f525}'.repeat(3), 11)
  assert.equal(cut, '\u{1f525}\u{1f525}\u2026')
  assert.equal(Buffer.byteLength(cut), 11)
  assert.equal(cutBytes('\u{1f525}'.repeat(3), 10), '\u{1f525}\u2026')
})
