import { link, type PageContext } from '../../../page-context.js'
import type { ShownChannel } from '../../channels/channel-toggle.js'
import { Menu } from '../../disclosure.js'
import { Button } from '../../forms/button.js'
import { Suggestions } from '../../forms/suggestions.js'
import { SnoozeButtons } from '../../silences/snooze-buttons.js'

interface Props {
  page: PageContext
  /** The path of the form that edits the selected checks. */
  edit: string
  /** Whether the checks are of several projects: then they can only be edited. */
  isMixed: boolean
  channels: readonly ShownChannel[]
  /** The tags that are suggested. */
  tags: readonly string[]
  /** How many checks match the filters, and how many of them are on this page. */
  found: number
  shown: number
}

/** The actions on the selected checks. Without a script they are always visible. */
export function BulkBar({ page, edit, isMixed, channels, tags, found, shown }: Props) {
  return (
    <fieldset class="bulk" id="bulk" aria-label="Actions for the selected checks">
      <span class="bulk-count" id="bulk-count">
        With the selected checks:
      </span>
      {found > shown ? (
        <label class="bulk-all">
          <input type="checkbox" name="all" value="1" data-found={found} /> all {found} found
        </label>
      ) : null}
      <Button small formaction={link(page, edit)} name="open" value="1">
        Edit…
      </Button>
      {isMixed ? null : <QuickActions channels={channels} tags={tags} />}
    </fieldset>
  )
}

function QuickActions({ channels, tags }: Pick<Props, 'channels' | 'tags'>) {
  return (
    <>
      <Menu label="Tags">
        <div class="menu-form">
          <input
            name="tags"
            placeholder="prod eu"
            aria-label="Tags to add or remove"
            maxlength={500}
            autocomplete="off"
            list="known-tags"
            data-words
          />
          <Suggestions id="known-tags" values={tags} />
          <Button small stay name="action" value="tag">
            Add tags
          </Button>
          <Button small stay name="action" value="untag">
            Remove tags
          </Button>
        </div>
      </Menu>
      {channels.length > 0 ? <ChannelMenu channels={channels} /> : null}
      <Menu label="Snooze">
        <SnoozeButtons name="action" prefix="snooze-" />
      </Menu>
      <Button small stay name="action" value="pause">
        Pause
      </Button>
      <Button small stay name="action" value="resume">
        Resume
      </Button>
      <Button small look="danger" name="action" value="delete">
        Delete…
      </Button>
    </>
  )
}

function ChannelMenu({ channels }: Pick<Props, 'channels'>) {
  return (
    <Menu label="Integrations">
      <div class="menu-form">
        <select name="channel" aria-label="Integration">
          {channels.map(channel => (
            <option value={channel.uuid}>{channel.name || channel.label}</option>
          ))}
        </select>
        <Button small stay name="action" value="tell">
          Assign
        </Button>
        <Button small stay name="action" value="untell">
          Unassign
        </Button>
      </div>
    </Menu>
  )
}
