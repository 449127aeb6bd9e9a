"""Kernels of benches/peers.py for Warp, which reads them from a file of their own."""

import warp as wp

wp.config.quiet = True
K = wp.constant(wp.float64(500.0))
C = wp.constant(wp.float64(0.5))
H = wp.constant(wp.float64(1e-4))
MASS = wp.constant(wp.float64(0.01))


@wp.kernel(enable_backward=False)
def particles(x: wp.array(dtype=wp.vec3d), v: wp.array(dtype=wp.vec3d), f: wp.array(dtype=wp.vec3d)):
    i = wp.tid()
    force = wp.vec3d(wp.float64(0.0), wp.float64(0.0), wp.float64(-9.81) * MASS)
    z = x[i][2]
    if z < wp.float64(0.0):
        normal = wp.float64(-1e4) * z - wp.float64(5.0) * v[i][2]
        if normal > wp.float64(0.0):
            slip = wp.sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1])
            factor = wp.float64(0.5) * normal / wp.max(slip, wp.float64(1e-2))
            force = force + wp.vec3d(-factor * v[i][0], -factor * v[i][1], normal)
    f[i] = force


@wp.kernel(enable_backward=False)
def springs(
    x: wp.array(dtype=wp.vec3d),
    v: wp.array(dtype=wp.vec3d),
    f: wp.array(dtype=wp.vec3d),
    pairs: wp.array(dtype=wp.vec2i),
    rest: wp.array(dtype=wp.float64),
):
    s = wp.tid()
    i = pairs[s][0]
    j = pairs[s][1]
    d = x[j] - x[i]
    w = v[j] - v[i]
    length = wp.length(d)
    pull = d * ((K * (length - rest[s]) + C * wp.dot(w, d) / length) / length)
    wp.atomic_add(f, i, pull)
    wp.atomic_sub(f, j, pull)


@wp.kernel(enable_backward=False)
def move(x: wp.array(dtype=wp.vec3d), v: wp.array(dtype=wp.vec3d), f: wp.array(dtype=wp.vec3d)):
    i = wp.tid()
    v[i] = v[i] + f[i] * (H / MASS)
    x[i] = x[i] + v[i] * H


def kernels():
    """The module and its kernels."""
    return wp, particles, springs, move
