"""Pauses over several switches, by a plain queue of events that shares nothing with the engine: first in, first out at every
port, what came by a link counted where it came in, a pause above one threshold and its end below another. These are the rules
of htsim's lossless queues (its queue_lossless_input.cpp and queue_lossless_output.cpp)."""
import heapq
import itertools
from collections import defaultdict, deque

PS_PER_US = 1_000_000


class Packet:
    def __init__(self, flow, path, size, is_ack=False):
        self.flow, self.path, self.size, self.is_ack = flow, path, size, is_ack
        self.hop = 0  # where on its path it is


class Network:
    """Flows are (path, packets, start); a path names nodes, from the sending host to the receiving one. Sizes in bytes on the
    wire, times in picoseconds."""

    def __init__(self, flows, rate, cable, xoff, xon, size, ack):
        self.flows, self.rate, self.cable = flows, rate, cable
        self.xoff, self.xon, self.size, self.ack = xoff, xon, size, ack
        self.now, self.events, self.order = 0, [], itertools.count()
        self.queue = defaultdict(deque)  # by port, which is (from, to)
        self.busy, self.stopped = set(), set()
        self.held = defaultdict(int)  # by link: bytes that came by it and have not left the switch
        self.told = set()  # links whose sender was told to stop
        self.unsent = [packets for _, packets, _ in flows]
        self.unanswered = list(self.unsent)
        self.by_host = defaultdict(list)
        self.ended = [0] * len(flows)
        self.pauses = 0
        self.hosts = {path[end] for path, _, _ in flows for end in (0, -1)}
        for index, (path, _, _) in enumerate(flows):
            self.by_host[path[0], path[1]].append(index)

    def run(self):
        for path, _, start in self.flows:
            self.at(start, self.serve, (path[0], path[1]))
        while self.events:
            self.now, _, action, words = heapq.heappop(self.events)
            action(*words)
        assert not any(self.unanswered)
        return self

    def at(self, delay, action, *words):
        heapq.heappush(self.events, (self.now + delay, next(self.order), action, words))

    def wire_time(self, size):
        return -(-size * 8 * 10**12 // self.rate)

    def next_packet(self, port):
        if self.queue[port]:
            return self.queue[port].popleft()
        for flow in self.by_host[port]:
            if self.unsent[flow] and self.flows[flow][2] <= self.now:
                self.unsent[flow] -= 1
                return Packet(flow, self.flows[flow][0], self.size)
        return None

    def serve(self, port):
        if port in self.busy or port in self.stopped:
            return
        packet = self.next_packet(port)
        if packet:
            self.busy.add(port)
            self.at(self.wire_time(packet.size), self.leave, port, packet)

    def leave(self, port, packet):
        self.busy.remove(port)
        if packet.hop > 0:
            self.free((packet.path[packet.hop - 1], port[0]), packet.size)
        packet.hop += 1
        self.at(self.cable, self.arrive, port, packet)
        self.serve(port)

    def arrive(self, link, packet):
        if link[1] in self.hosts:
            return self.answer(packet)
        self.held[link] += packet.size
        if self.held[link] > self.xoff and link not in self.told:
            self.told.add(link)
            self.pauses += 1
            self.at(self.cable, self.stopped.add, link)
        port = (link[1], packet.path[packet.hop + 1])
        self.queue[port].append(packet)
        self.serve(port)

    def answer(self, packet):
        if packet.is_ack:
            self.unanswered[packet.flow] -= 1
            self.ended[packet.flow] = self.now
            return
        path = packet.path[::-1]
        self.queue[path[0], path[1]].append(Packet(packet.flow, path, self.ack, is_ack=True))
        self.serve((path[0], path[1]))

    def free(self, link, size):
        self.held[link] -= size
        if link in self.told and self.held[link] < self.xon:
            self.told.remove(link)
            self.at(self.cable, self.go_on, link)

    def go_on(self, link):
        self.stopped.discard(link)
        self.serve(link)
