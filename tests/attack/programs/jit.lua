-- jit.lua - loops that LuaJIT compiles, text, tables, coroutines, an error that is caught.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local sum, t = 0, {}
for i = 1, 200000 do sum = sum + (i * 7 % 13); t[i % 100 + 1] = sum end
for i = 1, 20000 do local s = ("x"):rep(i % 7) .. i; sum = sum + #s end
local co = coroutine.wrap(function() for i = 1, 1000 do coroutine.yield(i) end end)
for i = 1, 1000 do sum = sum + co() end
assert(jit.status())
print(fib(22), sum, pcall(error, "x"))
