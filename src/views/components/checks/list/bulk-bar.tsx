import type { ShownChannel } from '../../channels/channel-toggle.js'
import { Menu } from '../../disclosure.js'
import { Button } from '../../forms/button.js'
import { SnoozeButtons } from '../../silences/snooze-buttons.js'

interface Props {
  channels: readonly ShownChannel[]
  /** How many checks match the filters, and how many of them are on this page. */
  found: number
  shown: number
}

/** The actions on the selected checks. Without a script they are always visible. */
export function BulkBar({ channels, found, shown }: Props) {
  return (
    <fieldset class="bulk" id="bulk" aria-label="Do something to the chosen checks">
      <span class="bulk-count" id="bulk-count">
        With the chosen checks:
      </span>
      {found > shown ? (
        <label class="bulk-all">
          <input type="checkbox" name="all" value="1" data-found={found} /> all {found} found
        </label>
      ) : null}
      <Menu label="Tags">
        <div class="menu-form">
          <input name="tags" placeholder="prod eu" aria-label="Tags to add or remove" maxlength={500} />
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
    </fieldset>
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
          Tell it
        </Button>
        <Button small stay name="action" value="untell">
          Tell it no more
        </Button>
      </div>
    </Menu>
  )
}
