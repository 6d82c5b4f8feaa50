/** The title of every page on which a channel of a kind is added: `New Slack integration`. */
export function newChannelTitle(label: string): string {
  return `New ${label} integration`
}
