import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { scopeWords, silenceLabel } from '../../../core/silences/silence-words.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { Button, ButtonLink } from '../forms/button.js'
import { PostForm } from '../forms/post-form.js'
import { Table } from '../table.js'
import { SilenceWhen } from './silence-when.js'

/** A silence, with the names of its channels as users know them. */
export interface ListedSilence extends ShownSilence {
  channelNames: readonly string[] | null
}

interface Props {
  page: PageContext
  projectUuid: string
  silences: readonly ListedSilence[]
  caption: string
}

/** Silences in a table: what they are called, which checks and integrations, and when. */
export function SilenceTable({ page, projectUuid, silences, caption }: Props) {
  const changes = mayWrite(page) && silences.some(({ state }) => state !== 'past')
  return (
    <Table
      caption={caption}
      class="silences"
      columns={[
        { title: 'Silence' },
        { title: 'Checks' },
        { title: 'When' },
        ...(changes ? [{ title: 'Actions', silent: true }] : []),
      ]}
    >
      {silences.map(silence => (
        <tr>
          <td class="silence-name">
            <span class="name">{silenceLabel(silence)}</span>
            <span class="second">by {silence.createdBy}</span>
          </td>
          <td class="silence-what">
            {scopeWords(silence)}
            <What silence={silence} />
          </td>
          <td class="silence-when">
            <SilenceWhen page={page} silence={silence} />
          </td>
          {changes ? (
            <td class="silence-actions">
              <Actions page={page} projectUuid={projectUuid} silence={silence} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  )
}

function What({ silence: { mode, channelNames } }: { silence: ListedSilence }) {
  const parts = [
    channelNames === null ? null : `only ${channelNames.join(', ') || 'deleted integrations'}`,
    mode === 'expect_nothing' ? 'nothing is expected' : null,
  ].filter(part => part !== null)
  return parts.length === 0 ? null : <span class="second">{parts.join('; ')}</span>
}

function Actions({
  page,
  projectUuid,
  silence,
}: Omit<Props, 'silences' | 'caption'> & { silence: ListedSilence }) {
  const at = `/projects/${projectUuid}/silences/${silence.id}`
  const isActive = silence.state === 'active'
  const isOnce = silence.times.kind === 'once'
  const label = silenceLabel(silence)
  return (
    <span class="actions">
      <ButtonLink small look="quiet" href={link(page, `${at}/edit/`)}>
        Edit<span class="sr-only"> {label}</span>
      </ButtonLink>
      <PostForm
        page={page}
        action={`${at}/end/`}
        {...(isOnce ? {} : { confirm: 'End this silence and all its upcoming windows?' })}
      >
        <Button small>
          {isActive ? 'End now' : isOnce ? 'Cancel' : 'End'}
          <span class="sr-only"> {label}</span>
        </Button>
      </PostForm>
    </span>
  )
}
