"""Threads of Python: a queue that fills up, an executor, a pair of sockets."""
import concurrent.futures
import queue
import socket
import threading
import time

items, got = queue.Queue(3), []


def make(who):
    for i in range(100):
        items.put((who, i))
    items.put(None)


threads = [threading.Thread(target=make, args=(who,)) for who in range(3)]
for thread in threads:
    thread.start()
open_ends = 3
while open_ends:
    item = items.get()
    if item is None:
        open_ends -= 1
    else:
        got.append(item)
for thread in threads:
    thread.join()
with concurrent.futures.ThreadPoolExecutor(3) as executor:
    total = sum(executor.map(lambda i: sum(range(i)), range(200)))
time.sleep(0.01)
here, there = socket.socketpair()
here.send(b"hi")
print(there.recv(2), total, len(got))
