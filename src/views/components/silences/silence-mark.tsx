import { silenceLabel } from '../../../core/silences/silence-words.js'
import type { Silenced } from '../../../core/silences/silenced.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { Button } from '../forms/button.js'
import { PostForm } from '../forms/post-form.js'
import { Time } from '../time.js'

interface Props {
  page: PageContext
  silenced: Silenced | null
}

/** The mark of a check whose alerts are held now, for a row: `silenced until 14:00`. */
export function SilenceMark({ page, silenced }: Props) {
  if (silenced === null) return null
  const { silence } = silenced
  return (
    <span class="silenced" title={`${silenceLabel(silence)}, by ${silence.createdBy}`}>
      <Words page={page} silenced={silenced} word="silenced" />
    </span>
  )
}

/** The same in a sentence, with what ends it, for the page of a check. */
export function SilenceSentence({ page, silenced }: Props) {
  if (silenced === null || page.project === null) return null
  const { silence } = silenced
  const home = `/projects/${page.project.uuid}/silences/`
  return (
    <div class="silence-sentence">
      <p>
        <strong class="silenced">
          <Words page={page} silenced={silenced} word="Silenced" />
        </strong>{' '}
        by {silence.createdBy}
        {silence.reason === '' ? ' (' : ': '}
        <a href={link(page, home)}>{silence.reason || 'silences'}</a>
        {silence.reason === '' ? ').' : '.'}
        {silence.mode === 'expect_nothing' ? ' Until then nothing is expected.' : ''}
      </p>
      {mayWrite(page) && silence.times.kind === 'once' ? (
        <PostForm page={page} action={`${home}${silence.id}/end/`}>
          <Button small>End now</Button>
        </PostForm>
      ) : null}
    </div>
  )
}

interface WordsProps {
  page: PageContext
  silenced: Silenced
  word: 'silenced' | 'Silenced'
}

function Words({ page, silenced: { until, isPartial }, word: whole }: WordsProps) {
  const word = isPartial ? `${whole} in part` : whole
  if (until === null) return <>{word}</>
  return (
    <>
      {word} until <Time page={page} at={until} show="clock" />
    </>
  )
}
