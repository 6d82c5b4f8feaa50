/** A channel on the wire. */
export interface ChannelShape {
  id: string
  name: string
  kind: string
}

export function channelShape(channel: { uuid: string; name: string; kind: string }): ChannelShape {
  return { id: channel.uuid, name: channel.name, kind: channel.kind }
}
