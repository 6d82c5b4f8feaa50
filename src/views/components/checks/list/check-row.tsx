import { checkLabel } from '../../../../core/alerts/alert.js'
import { tagList } from '../../../../core/checks/check.js'
import type { ListedCheck } from '../../../../core/checks/listed-check.js'
import { nextExpected } from '../../../../core/checks/next-expected.js'
import { projectLabel } from '../../../../core/projects/project-label.js'
import type { ShownSilence } from '../../../../core/silences/shown-silence.js'
import { silencedBy } from '../../../../core/silences/silenced.js'
import { link, mayWrite, type PageContext, zoneOf } from '../../../page-context.js'
import { ChannelToggle, type SignedChannel, toggleTitle } from '../../channels/channel-toggle.js'
import { Menu } from '../../disclosure.js'
import { Duration } from '../../duration.js'
import { AckMark } from '../../incidents/ack-mark.js'
import { SilenceMark } from '../../silences/silence-mark.js'
import { SnoozeButtons } from '../../silences/snooze-buttons.js'
import { Time } from '../../time.js'
import { RunStrip } from '../run-strip.js'
import { ScheduleWords } from '../schedule-words.js'
import { StateLine } from '../state-line.js'
import { StatusGlyph } from '../status-glyph.js'
import { Tags } from '../tags.js'
import { UntilDue } from '../until-due.js'

interface Props {
  page: PageContext
  check: ListedCheck
  channels: readonly SignedChannel[]
  /** The beginning of every ping address. */
  pingEndpoint: string
  /** The silences of the project that are active. */
  silences?: readonly ShownSilence[]
  /** Whether the list has checks of several projects: the row names its own. */
  isMixed?: boolean
}

/**
 * The maximum number of signs in a row, followed by the number of the others. Source: docs/behaviour.md, section 9.3.
 */
const SIGNS_SHOWN = 10

/** The number of signs on the line of a list that is not wide; of more, all but one less are counted. See `.is-extra`. */
const SIGNS_IN_LINE = 5

/** The maximum number of characters of tags next to a name, followed by the number of the other tags. */
const TAG_ROOM = 14
/** The same on a wide screen, where names leave more room; see `.tag-wide`. */
const WIDE_TAG_ROOM = 36

/** The id of a check's row; of its `copy`th one on the page if it is in several groups. */
export function rowId(uuid: string, copy = 1): string {
  return copy === 1 ? `c-${uuid}` : `c-${uuid}.${copy}`
}

/** A check in the list. Its buttons require a surrounding form with the token. */
export function CheckRow({ page, check, channels, pingEndpoint, silences = [], isMixed = false }: Props) {
  const href = link(page, `/checks/${check.uuid}/details/`)
  const writes = mayWrite(page)
  const name = checkLabel(check)
  return (
    <tr
      id={rowId(check.uuid)}
      data-part
      class={`check is-${check.status}${check.running ? ' is-running' : ''}`}
    >
      {writes || isMixed ? (
        <td class="pick">
          {writes ? (
            <input type="checkbox" name="check" value={check.uuid} aria-label={`Select ${name}`} />
          ) : null}
        </td>
      ) : null}
      <td class="glyph-cell">
        <StatusGlyph status={check.status} running={check.running} />
      </td>
      <td class="grow">
        <span class="name-line">
          <a class="name" href={href}>
            {name}
          </a>
          {isMixed ? <ProjectName page={page} /> : null}
          <Tags tags={tagList(check.tags)} room={TAG_ROOM} wideRoom={WIDE_TAG_ROOM} />
        </span>{' '}
        <span class="state-line">
          <StateLine page={page} check={check} state={check.state} />
        </span>{' '}
        <AckMark page={page} ack={check.acknowledged} />{' '}
        <SilenceMark page={page} silenced={silencedBy(silences, check)} />
      </td>
      <td class="wide runs">
        <RunStrip strip={check.strip} />
      </td>
      <td class="wide two">
        <Time page={page} at={check.lastPing} />
        {check.confirmationLink ? (
          <a class="second" href={link(page, `/checks/${check.uuid}/last_ping/`)}>
            confirmation link
          </a>
        ) : null}
        {check.lastDurationMs === null || check.confirmationLink ? null : (
          <span class="second">
            took <Duration ms={check.lastDurationMs} />
          </span>
        )}
      </td>
      <td class="wide two">
        <Expected page={page} check={check} />
      </td>
      <td class="wide schedule">
        <ScheduleWords
          timing={check}
          zone={zoneOf(page)}
          at={nextExpected(check, check.status, page.now) ?? page.now}
        />
      </td>
      <td class="wide integrations">
        <Channels page={page} check={check} channels={channels} />
      </td>
      {writes || isMixed ? (
        <td class="menu-cell">
          {writes ? <RowMenu page={page} check={check} pingEndpoint={pingEndpoint} /> : null}
        </td>
      ) : null}
    </tr>
  )
}

function ProjectName({ page }: Pick<Props, 'page'>) {
  const project = page.project!
  return (
    <a class="of-project" href={link(page, `/projects/${project.uuid}/checks/`)}>
      {projectLabel(project)}
    </a>
  )
}

/** When the next ping is expected. The name column shows the status. */
function Expected({ page, check }: Pick<Props, 'page' | 'check'>) {
  const { status, lastPing } = check
  const at = nextExpected(check, status, page.now)
  if (at === null) {
    return (
      <span class="muted" title={status === 'down' ? 'After the next ping' : undefined}>
        –
      </span>
    )
  }
  return (
    <>
      <span class={status === 'grace' ? 'is-late-word' : undefined}>
        <Time page={page} at={at} />
      </span>
      {status === 'down' || lastPing === null ? null : <UntilDue from={lastPing} due={at} now={page.now} />}
    </>
  )
}

function Channels({ page, check, channels }: Pick<Props, 'page' | 'check' | 'channels'>) {
  if (channels.length > SIGNS_SHOWN) {
    return (
      <a class="figure" href={link(page, `/checks/${check.uuid}/details/#integrations`)}>
        {check.channels.length} of {channels.length}
      </a>
    )
  }
  const isOn = ({ uuid }: SignedChannel) => check.channels.includes(uuid)
  const mayChange = mayWrite(page)
  // Without the right to switch them, those that are off are not shown.
  const shown = mayChange ? channels : channels.filter(isOn)
  const room = shown.length <= SIGNS_IN_LINE ? SIGNS_IN_LINE : SIGNS_IN_LINE - 1
  const extra = shown.slice(room)
  return (
    <span class="channels">
      {shown.map((channel, index) => (
        <ChannelToggle
          base={page.base}
          checkUuid={check.uuid}
          channel={channel}
          on={isOn(channel)}
          mayChange={mayChange}
          isExtra={index >= room}
        />
      ))}
      {extra.length === 0 ? null : (
        <a
          class={extra.some(isOn) ? 'channel more on' : 'channel more'}
          href={link(page, `/checks/${check.uuid}/details/#integrations`)}
          title={extra.map(channel => toggleTitle(channel, isOn(channel), mayChange)).join('\n')}
        >
          +{extra.length}
          <span class="sr-only"> integrations</span>
        </a>
      )}
    </span>
  )
}

function RowMenu({ page, check, pingEndpoint }: Pick<Props, 'page' | 'check' | 'pingEndpoint'>) {
  const at = (path: string) => link(page, `/checks/${check.uuid}/${path}/`)
  const paused = check.status === 'paused'
  return (
    <Menu label="⋯" title={`Actions for ${checkLabel(check)}`} end>
      <button type="button" data-copy={pingEndpoint + check.uuid} hidden>
        Copy ping URL
      </button>
      <a href={at('edit')} data-key="e">
        Edit
      </a>
      <button type="submit" formaction={at(paused ? 'resume' : 'pause')} data-key="p" data-stay>
        {paused ? 'Resume' : 'Pause'}
      </button>
      <SnoozeButtons
        name="for"
        verb="Snooze"
        formaction={at('snooze')}
        other={link(page, `/projects/${page.project!.uuid}/silences/add/?check=${check.uuid}`)}
      />
      <button type="submit" formaction={at('copy')}>
        Duplicate
      </button>
      <a href={at('remove')}>Delete…</a>
    </Menu>
  )
}
